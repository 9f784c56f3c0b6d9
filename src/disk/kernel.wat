;; The inner loops of vector search and of checking pages. `src/disk/kernel.ts` holds this module assembled, as
;; base64; test/disk/kernel_test.ts assembles this text again and compares.
(module
  (memory (export "memory") 1)

  ;; The sum of four lanes.
  (func $total (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))

  ;; For n rows of int8 at $rows, each $size bytes (a multiple of 16), stores the dot product with
  ;; the query at $query (int16, so 2 * $size bytes) as i32 at $out. Four rows at a time, which share
  ;; the loads of the query; there is room for three more results behind the last.
  (func (export "dot") (param $query i32) (param $rows i32) (param $size i32) (param $n i32) (param $out i32)
    (local $i i32) (local $at i32) (local $left i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $low v128) (local $high v128)
    (local.set $left (local.get $n))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $left) (i32.const 0)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (local.get $sum0))
        (local.set $sum2 (local.get $sum0))
        (local.set $sum3 (local.get $sum0))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $at (i32.add (local.get $query) (i32.shl (local.get $i) (i32.const 1))))
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $at (i32.add (local.get $rows) (local.get $i)))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $at)))))
          (local.set $sum0 (i32x4.add (local.get $sum0)
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $at)))))
          (local.set $sum1 (i32x4.add (local.get $sum1)
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $at)))))
          (local.set $sum2 (i32x4.add (local.get $sum2)
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $low) (v128.load8x8_s (local.get $at)))))
          (local.set $sum3 (i32x4.add (local.get $sum3)
            (i32x4.dot_i16x8_s (local.get $high) (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $i) (local.get $size))))
        (i32.store (local.get $out) (call $total (local.get $sum0)))
        (i32.store offset=4 (local.get $out) (call $total (local.get $sum1)))
        (i32.store offset=8 (local.get $out) (call $total (local.get $sum2)))
        (i32.store offset=12 (local.get $out) (call $total (local.get $sum3)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $rows (i32.add (local.get $rows) (i32.shl (local.get $size) (i32.const 2))))
        (local.set $left (i32.sub (local.get $left) (i32.const 4)))
        (br $next))))

  ;; The same for a query of int8, which like the rows has no -128: two products then fit 16 bits. ARM
  ;; multiplies bytes, in less than half the time; x86 does not, and multiplies 16 bits faster.
  (func (export "dot_bytes") (param $query i32) (param $rows i32) (param $size i32) (param $n i32) (param $out i32)
    (local $i i32) (local $at i32) (local $left i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $part8 v128) (local $row v128)
    (local.set $left (local.get $n))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $left) (i32.const 0)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (local.get $sum0))
        (local.set $sum2 (local.get $sum0))
        (local.set $sum3 (local.get $sum0))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $part8 (v128.load (i32.add (local.get $query) (local.get $i))))
          (local.set $at (i32.add (local.get $rows) (local.get $i)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
            (i16x8.extmul_low_i8x16_s (local.get $part8) (local.tee $row (v128.load (local.get $at))))
            (i16x8.extmul_high_i8x16_s (local.get $part8) (local.get $row))))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
            (i16x8.extmul_low_i8x16_s (local.get $part8) (local.tee $row (v128.load (local.get $at))))
            (i16x8.extmul_high_i8x16_s (local.get $part8) (local.get $row))))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
            (i16x8.extmul_low_i8x16_s (local.get $part8) (local.tee $row (v128.load (local.get $at))))
            (i16x8.extmul_high_i8x16_s (local.get $part8) (local.get $row))))))
          (local.set $at (i32.add (local.get $at) (local.get $size)))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
            (i16x8.extmul_low_i8x16_s (local.get $part8) (local.tee $row (v128.load (local.get $at))))
            (i16x8.extmul_high_i8x16_s (local.get $part8) (local.get $row))))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $i) (local.get $size))))
        (i32.store (local.get $out) (call $total (local.get $sum0)))
        (i32.store offset=4 (local.get $out) (call $total (local.get $sum1)))
        (i32.store offset=8 (local.get $out) (call $total (local.get $sum2)))
        (i32.store offset=12 (local.get $out) (call $total (local.get $sum3)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $rows (i32.add (local.get $rows) (i32.shl (local.get $size) (i32.const 2))))
        (local.set $left (i32.sub (local.get $left) (i32.const 4)))
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
        (br $next))))

  ;; Folds one lane into a checksum.
  (func $mix (param $hash i32) (param $lane i32) (result i32)
    (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $lane)) (i32.const 0x85ebca77)))
    (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 13))))

  ;; The checksum of $size bytes from their four lanes.
  (func $fold (param $lanes v128) (param $size i32) (result i32)
    (call $mix
      (call $mix
        (call $mix
          (call $mix (local.get $size) (i32x4.extract_lane 0 (local.get $lanes)))
          (i32x4.extract_lane 1 (local.get $lanes)))
        (i32x4.extract_lane 2 (local.get $lanes)))
      (i32x4.extract_lane 3 (local.get $lanes))))

  ;; How many of n pages of $size bytes (a multiple of 32) at $pages have the checksum (u32) that is
  ;; for each at $expected, up to the first that has not. Four pages at a time: one alone would wait
  ;; for its own multiplications.
  (func (export "check") (param $pages i32) (param $size i32) (param $n i32) (param $expected i32)
    (result i32)
    (local $i i32) (local $at i32) (local $page i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $second i32) (local $third i32) (local $fourth i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $page) (local.get $n)))
        ;; Those after the last are the last again.
        (local.set $second (select (local.get $size) (i32.const 0)
          (i32.lt_u (i32.add (local.get $page) (i32.const 1)) (local.get $n))))
        (local.set $third (select (i32.add (local.get $second) (local.get $size)) (local.get $second)
          (i32.lt_u (i32.add (local.get $page) (i32.const 2)) (local.get $n))))
        (local.set $fourth (select (i32.add (local.get $third) (local.get $size)) (local.get $third)
          (i32.lt_u (i32.add (local.get $page) (i32.const 3)) (local.get $n))))
        (local.set $a (v128.const i32x4 0x9e3779b1 0x85ebca77 0xc2b2ae3d 0x27d4eb2f))
        (local.set $b (local.get $a))
        (local.set $c (local.get $a))
        (local.set $d (local.get $a))
        (local.set $i (i32.const 0))
        (loop $part
          (local.set $at (i32.add (local.get $pages) (local.get $i)))
          (local.set $a (i32x4.mul
            (v128.xor (local.get $a) (v128.load (local.get $at)))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $b (i32x4.mul
            (v128.xor (local.get $b) (v128.load (i32.add (local.get $at) (local.get $second))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $c (i32x4.mul
            (v128.xor (local.get $c) (v128.load (i32.add (local.get $at) (local.get $third))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $d (i32x4.mul
            (v128.xor (local.get $d) (v128.load (i32.add (local.get $at) (local.get $fourth))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $a (v128.xor (local.get $a) (i32x4.shr_u (local.get $a) (i32.const 15))))
          (local.set $b (v128.xor (local.get $b) (i32x4.shr_u (local.get $b) (i32.const 15))))
          (local.set $c (v128.xor (local.get $c) (i32x4.shr_u (local.get $c) (i32.const 15))))
          (local.set $d (v128.xor (local.get $d) (i32x4.shr_u (local.get $d) (i32.const 15))))
          ;; Twice in a turn: before it is optimized, code stores all its values at the end of each.
          (local.set $a (i32x4.mul
            (v128.xor (local.get $a) (v128.load offset=16 (local.get $at)))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $b (i32x4.mul
            (v128.xor (local.get $b) (v128.load offset=16 (i32.add (local.get $at) (local.get $second))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $c (i32x4.mul
            (v128.xor (local.get $c) (v128.load offset=16 (i32.add (local.get $at) (local.get $third))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $d (i32x4.mul
            (v128.xor (local.get $d) (v128.load offset=16 (i32.add (local.get $at) (local.get $fourth))))
            (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
          (local.set $a (v128.xor (local.get $a) (i32x4.shr_u (local.get $a) (i32.const 15))))
          (local.set $b (v128.xor (local.get $b) (i32x4.shr_u (local.get $b) (i32.const 15))))
          (local.set $c (v128.xor (local.get $c) (i32x4.shr_u (local.get $c) (i32.const 15))))
          (local.set $d (v128.xor (local.get $d) (i32x4.shr_u (local.get $d) (i32.const 15))))
          (local.set $i (i32.add (local.get $i) (i32.const 32)))
          (br_if $part (i32.lt_u (local.get $i) (local.get $size))))
        (local.set $at (i32.add (local.get $expected) (i32.shl (local.get $page) (i32.const 2))))
        (br_if $done (i32.ne (i32.load (local.get $at))
          (call $fold (local.get $a) (local.get $size))))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $page) (local.get $n)))
        (br_if $done (i32.ne (i32.load offset=4 (local.get $at))
          (call $fold (local.get $b) (local.get $size))))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $page) (local.get $n)))
        (br_if $done (i32.ne (i32.load offset=8 (local.get $at))
          (call $fold (local.get $c) (local.get $size))))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (br_if $done (i32.ge_u (local.get $page) (local.get $n)))
        (br_if $done (i32.ne (i32.load offset=12 (local.get $at))
          (call $fold (local.get $d) (local.get $size))))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (local.set $pages (i32.add (local.get $pages) (i32.shl (local.get $size) (i32.const 2))))
        (br $next)))
    (local.get $page))

  ;; Turns n dot products (i32) at $dots into cosines (f32) at $out: divided by the query's length
  ;; and the row's (f32 at $norms); 0 for a row of zeros.
  (func (export "cosines") (param $dots i32) (param $norms i32) (param $n i32) (param $norm f64)
    (param $out i32)
    (local $own f32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $own (f32.load (local.get $norms)))
        (f32.store (local.get $out)
          (select (f32.const 0)
            (f32.demote_f64 (f64.div (f64.convert_i32_s (i32.load (local.get $dots)))
              (f64.mul (local.get $norm) (f64.promote_f32 (local.get $own)))))
            (f32.eq (local.get $own) (f32.const 0))))
        (local.set $dots (i32.add (local.get $dots) (i32.const 4)))
        (local.set $norms (i32.add (local.get $norms) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))))
