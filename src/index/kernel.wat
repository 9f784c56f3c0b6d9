;; The two inner loops of vector search. `src/index/kernel.ts` holds this module assembled, as
;; base64; test/index/kernel_test.ts assembles this text again and compares.
(module
  (memory (export "memory") 1)

  ;; For n rows of int8 at $rows, each $size bytes (a multiple of 16), stores the dot product with
  ;; the query at $query as i32 at $out.
  (func (export "dot") (param $query i32) (param $rows i32) (param $size i32) (param $n i32) (param $out i32)
    (local $i i32) (local $sum v128) (local $a v128) (local $b v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $a (v128.load (i32.add (local.get $query) (local.get $i))))
          (local.set $b (v128.load (i32.add (local.get $rows) (local.get $i))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b)))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $i) (local.get $size))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (local.get $size)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next))))

  ;; For n pages of $size bytes (a multiple of 16) at $pages, stores four lanes of checksum (16
  ;; bytes) for each at $out. `checksum.ts` folds the lanes and computes the same.
  (func (export "lanes") (param $pages i32) (param $size i32) (param $n i32) (param $out i32)
    (local $i i32) (local $hash v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $hash (v128.const i32x4 0x9e3779b1 0x85ebca77 0xc2b2ae3d 0x27d4eb2f))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $hash (i32x4.mul
            (v128.xor (local.get $hash) (v128.load (i32.add (local.get $pages) (local.get $i))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $hash (v128.xor (local.get $hash) (i32x4.shr_u (local.get $hash) (i32.const 15))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $i) (local.get $size))))
        (v128.store (local.get $out) (local.get $hash))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $pages (i32.add (local.get $pages) (local.get $size)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))))
