;; The inner loop of embedding: the weighted sum of rows of a table. `src/index/vectors/pool_kernel.ts` holds
;; this module assembled, as base64; test/disk/kernel_test.ts assembles this text again and compares.
(module
  (memory (export "memory") 1)

  ;; Adds up n rows of int8, each $size values (a multiple of 16). At $list are n items of 8 bytes:
  ;; the address of a row as i32, its weight as f32. Stores the sums as f32 at $out. Sixteen columns
  ;; at a time, so that their sums stay in registers; rows are added in the order of the list and
  ;; every step is rounded, so that plain code gives the same to the last bit.
  (func (export "pool") (param $list i32) (param $n i32) (param $size i32) (param $out i32)
    (local $column i32) (local $at i32) (local $end i32) (local $v v128) (local $h v128) (local $f v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $n) (i32.const 3))))
    (loop $columns
      (local.set $s0 (v128.const i64x2 0 0))
      (local.set $s1 (v128.const i64x2 0 0))
      (local.set $s2 (v128.const i64x2 0 0))
      (local.set $s3 (v128.const i64x2 0 0))
      (local.set $at (local.get $list))
      (block $done
        (loop $rows
          (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
          (local.set $v (v128.load (i32.add (i32.load (local.get $at)) (local.get $column))))
          (local.set $f (v128.load32_splat offset=4 (local.get $at)))
          (local.set $h (i16x8.extend_low_i8x16_s (local.get $v)))
          (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $f)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $h))))))
          (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $f)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $h))))))
          (local.set $h (i16x8.extend_high_i8x16_s (local.get $v)))
          (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $f)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $h))))))
          (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $f)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $h))))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $rows)))
      (v128.store offset=0 (local.get $out) (local.get $s0))
      (v128.store offset=16 (local.get $out) (local.get $s1))
      (v128.store offset=32 (local.get $out) (local.get $s2))
      (v128.store offset=48 (local.get $out) (local.get $s3))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $column) (local.get $size))))))
