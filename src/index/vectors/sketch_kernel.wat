;; The inner loops of estimating cosines from sketches. `src/index/vectors/sketch_kernel.ts` holds this
;; module assembled, as base64; test/index/vectors/sketch_test.ts assembles this text again and compares.
;; The memory is that of `src/disk/kernel.wat`, where pages are checked and vectors multiplied.
(module
  (memory (import "ctx" "memory") 1)

  ;; The estimates of four rows: sums of the tables (u16, the low half of $sums) become
  ;; ($sum * $step - $offset) * $factor, where a factor (u8, in the lanes of $factors) means
  ;; 1 + (factor - 1) / 254, and 0 means that there is nothing to estimate.
  (func $estimate (param $sums v128) (param $factors v128) (param $step f32) (param $offset f32)
    (result v128)
    (v128.and
      (i32x4.ne (local.get $factors) (v128.const i32x4 0 0 0 0))
      (f32x4.mul
        (f32x4.sub
          (f32x4.mul (f32x4.convert_i32x4_u (local.get $sums)) (f32x4.splat (local.get $step)))
          (f32x4.splat (local.get $offset)))
        (f32x4.add
          (f32x4.mul (f32x4.convert_i32x4_u (local.get $factors))
            (f32x4.splat (f32.const 0.003937007874015748)))
          (f32x4.splat (f32.const 0.9960629921259843))))))

  ;; For n groups of 16 rows at $groups, stores the estimate of each row (f32) at $out. A group is
  ;; $columns times 16 bytes, the same byte of each row's bits side by side, then 16 factors. At
  ;; $tables there are two tables of 16 bytes for each column: what the low and the high four bits
  ;; are worth, at most 127.
  (func (export "estimate") (param $groups i32) (param $columns i32) (param $n i32)
    (param $tables i32) (param $step f32) (param $offset f32) (param $out i32)
    (local $end i32) (local $table i32)
    (local $bits v128) (local $worth v128) (local $all v128) (local $odd v128)
    (local $even v128) (local $low v128) (local $high v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $all (v128.const i32x4 0 0 0 0))
        (local.set $odd (local.get $all))
        (local.set $table (local.get $tables))
        (local.set $end (i32.add (local.get $groups) (i32.shl (local.get $columns) (i32.const 4))))
        (loop $column
          (local.set $bits (v128.load (local.get $groups)))
          (local.set $worth (i8x16.add
            (i8x16.swizzle (v128.load (local.get $table))
              (v128.and (local.get $bits) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
            (i8x16.swizzle (v128.load offset=16 (local.get $table))
              (i8x16.shr_u (local.get $bits) (i32.const 4)))))
          ;; Even rows are in the low bytes of 16 bits, odd ones in the high bytes: these are summed
          ;; apart, and taken from the sum of both in the end.
          (local.set $all (i16x8.add (local.get $all) (local.get $worth)))
          (local.set $odd (i16x8.add (local.get $odd) (i16x8.shr_u (local.get $worth) (i32.const 8))))
          (local.set $table (i32.add (local.get $table) (i32.const 32)))
          (local.set $groups (i32.add (local.get $groups) (i32.const 16)))
          (br_if $column (i32.lt_u (local.get $groups) (local.get $end))))
        (local.set $even (i16x8.sub (local.get $all) (i16x8.shl (local.get $odd) (i32.const 8))))
        (local.set $low (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23
          (local.get $even) (local.get $odd)))
        (local.set $high (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31
          (local.get $even) (local.get $odd)))
        (local.set $bits (v128.load (local.get $groups)))
        (local.set $even (i16x8.extend_low_i8x16_u (local.get $bits)))
        (local.set $odd (i16x8.extend_high_i8x16_u (local.get $bits)))
        (v128.store (local.get $out) (call $estimate
          (i32x4.extend_low_i16x8_u (local.get $low)) (i32x4.extend_low_i16x8_u (local.get $even))
          (local.get $step) (local.get $offset)))
        (v128.store offset=16 (local.get $out) (call $estimate
          (i32x4.extend_high_i16x8_u (local.get $low)) (i32x4.extend_high_i16x8_u (local.get $even))
          (local.get $step) (local.get $offset)))
        (v128.store offset=32 (local.get $out) (call $estimate
          (i32x4.extend_low_i16x8_u (local.get $high)) (i32x4.extend_low_i16x8_u (local.get $odd))
          (local.get $step) (local.get $offset)))
        (v128.store offset=48 (local.get $out) (call $estimate
          (i32x4.extend_high_i16x8_u (local.get $high)) (i32x4.extend_high_i16x8_u (local.get $odd))
          (local.get $step) (local.get $offset)))
        (local.set $groups (i32.add (local.get $groups) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next))))

  ;; Puts n rows of $size bytes (a multiple of 16) side by side at $block: $from has how far behind
  ;; $block each is now (u32), in ascending order.
  (func (export "gather") (param $block i32) (param $from i32) (param $size i32) (param $n i32)
    (local $out i32) (local $end i32) (local $row i32)
    (local.set $out (local.get $block))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $row (i32.add (local.get $block) (i32.load (local.get $from))))
        (local.set $end (i32.add (local.get $row) (local.get $size)))
        (loop $more
          (v128.store (local.get $out) (v128.load (local.get $row)))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $more (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next))))

  ;; The length (f32) of each of n rows of int8 at $rows, each $size bytes (a multiple of 16), at $out.
  (func (export "lengths") (param $rows i32) (param $size i32) (param $n i32) (param $out i32)
    (local $end i32) (local $sum v128) (local $part v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $rows) (local.get $size)))
        (loop $more
          (local.set $part (v128.load8x8_s (local.get $rows)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (local.get $part) (local.get $part))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
          (br_if $more (i32.lt_u (local.get $rows) (local.get $end))))
        (f32.store (local.get $out) (f32.demote_f64 (f64.sqrt (f64.convert_i32_s
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))))
