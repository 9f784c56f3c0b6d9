;; The loops of a search that look at every matching row. `score_kernel.ts` holds this module
;; assembled, as base64; test/search/score_kernel_test.ts assembles this text again and compares.
;; Compiled at once and fast from the first row on, where a fresh process still interprets
;; JavaScript. All arrays are in the module's memory; `scores.ts` places them.
(module
  (memory (export "memory") 1)

  ;; Where the arrays are: an f64 for the words of each row, an u32 with a bit for each term that it
  ;; matches, its cosine (f32), its flags (u16, with $lost), the filter that it fails (u8). 0: there is
  ;; no such array.
  (global $score (mut i32) (i32.const 0))
  (global $matched (mut i32) (i32.const 0))
  (global $cosines (mut i32) (i32.const 0))
  (global $flags (mut i32) (i32.const 0))
  (global $fails (mut i32) (i32.const 0))
  ;; What a row's flags multiply its key by, as f64 and as f32; what a cosine is worth; from which cosine on a row without
  ;; words is a candidate.
  (global $factors (mut i32) (i32.const 0))
  (global $rough_factors (mut i32) (i32.const 0))
  (global $worth (mut f64) (f64.const 0))
  (global $least (mut f32) (f32.const 0))
  ;; For each 64 rows the most that they can gain beside that (f32).
  (global $gains (mut i32) (i32.const 0))
  ;; For each 64 rows the greatest value of each kind (f32), -infinity where there is no row of it: four
  ;; arrays of $stride bytes.
  (global $maxima (mut i32) (i32.const 0))
  (global $stride (mut i32) (i32.const 0))
  ;; The flags of rows that are no candidates without words: tombstones, and what count for nothing.
  (global $lost i32 (i32.const 0x8001))
  ;; The flags of talk and tools, `looseFlags`: their texts count with other lengths.
  (global $loose i32 (i32.const 52))

  (func (export "place") (param $s i32) (param $m i32) (param $c i32) (param $fl i32) (param $fa i32)
    (param $factor i32) (param $rough i32) (param $w f64) (param $l f32)
    (param $g i32) (param $max i32) (param $st i32)
    (global.set $score (local.get $s))
    (global.set $matched (local.get $m))
    (global.set $cosines (local.get $c))
    (global.set $flags (local.get $fl))
    (global.set $fails (local.get $fa))
    (global.set $factors (local.get $factor))
    (global.set $rough_factors (local.get $rough))
    (global.set $worth (local.get $w))
    (global.set $least (local.get $l))
    (global.set $gains (local.get $g))
    (global.set $maxima (local.get $max))
    (global.set $stride (local.get $st)))

  ;; The length that a text of talk or tools counts as: `looseLength`.
  (func $loosen (param $model i32) (param $length f64) (result f64)
    (f64.floor (f64.add (f64.const 0.5) (f64.mul (f64.load offset=216 (local.get $model))
      (f64.add (f64.load offset=208 (local.get $model)) (local.get $length))))))

  ;; What most postings of a term add: an f64 at $out for each length of a text below 256, for once to
  ;; four times in it; then the same for texts of talk and tools.
  (func (export "prepare") (param $model i32) (param $idf f64) (param $out i32)
    (local $at i32) (local $length f64) (local $worth f64)
    (loop $next
      (local.set $length (f64.convert_i32_u (i32.and (local.get $at) (i32.const 255))))
      (if (i32.ge_u (local.get $at) (i32.const 1024))
        (then (local.set $length (call $loosen (local.get $model) (local.get $length)))))
      (local.set $worth (f64.div
        (f64.mul (f64.load offset=88 (local.get $model))
          (f64.convert_i32_u (i32.add (i32.const 1)
            (i32.and (i32.const 3) (i32.shr_u (local.get $at) (i32.const 8))))))
        (f64.add (f64.load offset=96 (local.get $model))
          (f64.mul (f64.load offset=104 (local.get $model)) (local.get $length)))))
      (f64.store (i32.add (local.get $out) (i32.shl (local.get $at) (i32.const 3)))
        (f64.div
          (f64.mul (f64.mul (local.get $idf) (local.get $worth))
            (f64.load offset=8 (local.get $model)))
          (f64.add (f64.load (local.get $model)) (local.get $worth))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 2048)))))

  ;; Adds the postings of a list (coded as in src/index/segment/postings.ts) up to row $stop to the
  ;; scores. $table is of `prepare`. $model is k1, k1 + 1, then for each field 32 bytes: the address of
  ;; its lengths (0: not there yet; those of the text are), weight, flat, slope; then raise and scale of
  ;; `looseModel`. At $resume it leaves
  ;; where to go on: address in the list, last row. Returns 0, or -1 - field when lengths are missing.
  (func (export "accumulate")
    (param $list i32) (param $end i32) (param $row i32) (param $stop i32) (param $base i32)
    (param $bit i32) (param $idf f64) (param $model i32) (param $table i32) (param $resume i32)
    (result i32)
    (local $byte i32) (local $shift i32) (local $head i32) (local $kind i32) (local $mask i32)
    (local $field i32) (local $facts i32) (local $times i32) (local $start i32) (local $from i32)
    (local $length i32) (local $text i32) (local $size f64) (local $worth f64) (local $gain f64)
    (local $scores i32) (local $sets i32) (local $kinds i32)
    (local.set $kinds (i32.add (global.get $flags) (i32.shl (local.get $base) (i32.const 1))))
    (local.set $text (i32.load offset=80 (local.get $model)))
    (local.set $scores (i32.add (global.get $score) (i32.shl (local.get $base) (i32.const 3))))
    (local.set $sets (i32.add (global.get $matched) (i32.shl (local.get $base) (i32.const 2))))
    (block $done
      (loop $next
        (local.set $start (local.get $list))
        (local.set $from (local.get $row))
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (block $gained
          ;; Most are near the one before and in the text alone, up to four times.
          (local.set $head (i32.load8_u (local.get $list)))
          (if (i32.eqz (i32.and (local.get $head) (i32.const 0x82)))
            (then
              (local.set $row (i32.add (local.get $row) (i32.shr_u (local.get $head) (i32.const 2))))
              (br_if $done (i32.ge_u (local.get $row) (local.get $stop)))
              (local.set $kind (i32.and (local.get $head) (i32.const 1)))
              (local.set $times (i32.and (i32.sub (i32.const 0) (local.get $kind))
                (i32.sub (i32.load8_u offset=1 (local.get $list)) (i32.const 1))))
              (local.set $length (i32.load16_u
                (i32.add (local.get $text) (i32.shl (local.get $row) (i32.const 1)))))
              (if (i32.lt_u
                  (i32.or (local.get $length) (i32.shl (local.get $times) (i32.const 6)))
                  (i32.const 256))
                (then
                  (local.set $list
                    (i32.add (i32.add (local.get $list) (i32.const 1)) (local.get $kind)))
                  (local.set $gain (f64.load (i32.add (local.get $table) (i32.shl
                    (i32.or
                      (i32.or (local.get $length) (i32.shl (local.get $times) (i32.const 8)))
                      (i32.shl
                        (i32.ne (i32.const 0) (i32.and (global.get $loose) (i32.load16_u
                          (i32.add (local.get $kinds) (i32.shl (local.get $row) (i32.const 1))))))
                        (i32.const 10)))
                    (i32.const 3)))))
                  (br $gained)))
              (local.set $row (local.get $from))))
        ;; head = varint
        (local.set $head (i32.load8_u (local.get $list)))
        (local.set $list (i32.add (local.get $list) (i32.const 1)))
        (if (i32.ge_u (local.get $head) (i32.const 128))
          (then
            (local.set $head (i32.and (local.get $head) (i32.const 127)))
            (local.set $shift (i32.const 7))
            (loop $more
              (local.set $byte (i32.load8_u (local.get $list)))
              (local.set $list (i32.add (local.get $list) (i32.const 1)))
              (local.set $head (i32.or (local.get $head)
                (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
              (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
              (br_if $more (i32.and (i32.ge_u (local.get $byte) (i32.const 128))
                (i32.lt_u (local.get $shift) (i32.const 35)))))))
        (local.set $row (i32.add (local.get $row) (i32.shr_u (local.get $head) (i32.const 2))))
        (br_if $done (i32.ge_u (local.get $row) (local.get $stop)))
        (local.set $kind (i32.and (local.get $head) (i32.const 3)))
          ;; which fields: the text alone, or those of a mask
          (local.set $mask (i32.const 4))
          (if (i32.ge_u (local.get $kind) (i32.const 2))
            (then
              (local.set $mask (i32.load8_u (local.get $list)))
              (local.set $list (i32.add (local.get $list) (i32.const 1)))))
          (local.set $worth (f64.const 0))
          (loop $fields
            (local.set $field (i32.ctz (local.get $mask)))
            (local.set $facts (i32.add (i32.add (local.get $model) (i32.const 16))
              (i32.shl (local.get $field) (i32.const 5))))
            (if (i32.eqz (i32.load (local.get $facts)))
              (then
                (i32.store (local.get $resume) (local.get $start))
                (i32.store offset=4 (local.get $resume) (local.get $from))
                (return (i32.sub (i32.const -1) (local.get $field)))))
            (local.set $times (i32.const 1))
            (if (local.get $kind)
              (then
                (local.set $times (i32.const 0))
                (local.set $shift (i32.const 0))
                (loop $more
                  (local.set $byte (i32.load8_u (local.get $list)))
                  (local.set $list (i32.add (local.get $list) (i32.const 1)))
                  (local.set $times (i32.or (local.get $times)
                    (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
                  (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
                  (br_if $more (i32.and (i32.ge_u (local.get $byte) (i32.const 128))
                    (i32.lt_u (local.get $shift) (i32.const 35)))))))
            (local.set $size (f64.convert_i32_u (i32.load16_u (i32.add
              (i32.load (local.get $facts)) (i32.shl (local.get $row) (i32.const 1))))))
            (if (i32.eq (local.get $field) (i32.const 2))
              (then
                (if (i32.and (global.get $loose) (i32.load16_u
                    (i32.add (local.get $kinds) (i32.shl (local.get $row) (i32.const 1)))))
                  (then (local.set $size (call $loosen (local.get $model) (local.get $size)))))))
            ;; worth += weight * times / (flat + slope * length)
            (local.set $worth (f64.add (local.get $worth)
              (f64.div
                (f64.mul (f64.load offset=8 (local.get $facts))
                  (f64.convert_i32_u (local.get $times)))
                (f64.add (f64.load offset=16 (local.get $facts))
                  (f64.mul (f64.load offset=24 (local.get $facts)) (local.get $size))))))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (br_if $fields (local.get $mask)))
          ;; gain = idf * worth * (k1 + 1) / (k1 + worth)
          (local.set $gain
            (f64.div
              (f64.mul (f64.mul (local.get $idf) (local.get $worth))
                (f64.load offset=8 (local.get $model)))
              (f64.add (f64.load (local.get $model)) (local.get $worth)))))
        (local.set $from (i32.add (local.get $sets) (i32.shl (local.get $row) (i32.const 2))))
        (i32.store (local.get $from) (i32.or (i32.load (local.get $from)) (local.get $bit)))
        (local.set $from (i32.add (local.get $scores) (i32.shl (local.get $row) (i32.const 3))))
        (f64.store (local.get $from)
          (f64.add (f64.load (local.get $from)) (local.get $gain)))
        (br $next)))
    (i32.store (local.get $resume) (local.get $start))
    (i32.store offset=4 (local.get $resume) (local.get $from))
    (i32.const 0))

  ;; How many rows of a list have a byte of $marks that is not 0. Rows from $stop on have none.
  (func (export "pick") (param $list i32) (param $end i32) (param $marks i32) (param $stop i32)
    (result i32)
    (local $row i32) (local $head i32) (local $byte i32) (local $shift i32) (local $left i32)
    (local $found i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $head (i32.load8_u (local.get $list)))
        (local.set $list (i32.add (local.get $list) (i32.const 1)))
        (if (i32.ge_u (local.get $head) (i32.const 128))
          (then
            (local.set $head (i32.and (local.get $head) (i32.const 127)))
            (local.set $shift (i32.const 7))
            (loop $more
              (local.set $byte (i32.load8_u (local.get $list)))
              (local.set $list (i32.add (local.get $list) (i32.const 1)))
              (local.set $head (i32.or (local.get $head)
                (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
              (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
              (br_if $more (i32.and (i32.ge_u (local.get $byte) (i32.const 128))
                (i32.lt_u (local.get $shift) (i32.const 35)))))))
        (local.set $row (i32.add (local.get $row) (i32.shr_u (local.get $head) (i32.const 2))))
        (br_if $done (i32.ge_u (local.get $row) (local.get $stop)))
        (local.set $found (i32.add (local.get $found) (i32.ne (i32.const 0)
          (i32.load8_u (i32.add (local.get $marks) (local.get $row))))))
        (local.set $head (i32.and (local.get $head) (i32.const 3)))
        (br_if $next (i32.eqz (local.get $head)))
        ;; its counts: one, or one for each field of a mask
        (local.set $left (i32.const 1))
        (if (i32.ge_u (local.get $head) (i32.const 2))
          (then
            (local.set $left (i32.popcnt (i32.load8_u (local.get $list))))
            (local.set $list (i32.add (local.get $list) (i32.const 1)))))
        (loop $more
          (br_if $next (i32.eqz (local.get $left)))
          (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
          (local.set $left (i32.sub (local.get $left)
            (i32.lt_u (i32.load8_u (local.get $list)) (i32.const 128))))
          (local.set $list (i32.add (local.get $list) (i32.const 1)))
          (br $more))))
    (local.get $found))

  ;; Of 16 rows at a time: where $fails has a 0 and a row has one of the flags of $mask, or with $wanted
  ;; has none, it gets $number. Behind the rows there is room up to a multiple of 16.
  (func (export "fail_flags") (param $row i32) (param $count i32) (param $mask i32)
    (param $wanted i32) (param $number i32)
    (local $at i32) (local $end i32) (local $from i32) (local $old v128) (local $set v128)
    (local.set $at (i32.add (global.get $fails) (local.get $row)))
    (local.set $end (i32.add (local.get $at) (local.get $count)))
    (local.set $from (i32.add (global.get $flags) (i32.shl (local.get $row) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $old (v128.load (local.get $at)))
        ;; -1 where it has none of the flags
        (local.set $set (i8x16.narrow_i16x8_s
          (i16x8.eq (v128.and (v128.load (local.get $from)) (i16x8.splat (local.get $mask)))
            (v128.const i32x4 0 0 0 0))
          (i16x8.eq (v128.and (v128.load offset=16 (local.get $from)) (i16x8.splat (local.get $mask)))
            (v128.const i32x4 0 0 0 0))))
        (v128.store (local.get $at) (v128.or (local.get $old)
          (v128.and (i8x16.splat (local.get $number))
            (v128.and (i8x16.eq (local.get $old) (v128.const i32x4 0 0 0 0))
              (v128.xor (local.get $set) (i8x16.splat (i32.sub (local.get $wanted) (i32.const 1))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $from (i32.add (local.get $from) (i32.const 32)))
        (br $next))))

  ;; The same where the byte of a row at $set is not $mark.
  (func (export "fail_rows") (param $row i32) (param $count i32) (param $set i32) (param $mark i32)
    (param $number i32)
    (local $at i32) (local $end i32) (local $old v128)
    (local.set $at (i32.add (global.get $fails) (local.get $row)))
    (local.set $end (i32.add (local.get $at) (local.get $count)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $old (v128.load (local.get $at)))
        (v128.store (local.get $at) (v128.or (local.get $old)
          (v128.and (i8x16.splat (local.get $number))
            (v128.and (i8x16.eq (local.get $old) (v128.const i32x4 0 0 0 0))
              (i8x16.ne (v128.load (local.get $set)) (i8x16.splat (local.get $mark)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $set (i32.add (local.get $set) (i32.const 16)))
        (br $next))))

  ;; Whether a row can be found: it matches or may be near, and fails no filter.
  (func $eligible (param $row i32) (result i32)
    (if (global.get $fails)
      (then
        (if (i32.load8_u (i32.add (global.get $fails) (local.get $row)))
          (then (return (i32.const 0))))))
    (if (i32.load (i32.add (global.get $matched) (i32.shl (local.get $row) (i32.const 2))))
      (then (return (i32.const 1))))
    (if (i32.eqz (global.get $cosines)) (then (return (i32.const 0))))
    (if (i32.and (global.get $lost) (i32.load16_u
        (i32.add (global.get $flags) (i32.shl (local.get $row) (i32.const 1)))))
      (then (return (i32.const 0))))
    (f32.ge (f32.load (i32.add (global.get $cosines) (i32.shl (local.get $row) (i32.const 2))))
      (global.get $least)))

  ;; What a row counts by: 0 and 1 its score, 2 its key, (score + worth * cosine) * factor * gain (a
  ;; negative cosine counts as none), 3 its cosine.
  (func $value (export "value") (param $kind i32) (param $row i32) (result f64)
    (local $value f64) (local $cosine f32)
    (local.set $value (f64.load
      (i32.add (global.get $score) (i32.shl (local.get $row) (i32.const 3)))))
    (if (i32.lt_u (local.get $kind) (i32.const 2)) (then (return (local.get $value))))
    (local.set $cosine (f32.const -1))
    (if (global.get $cosines)
      (then (local.set $cosine (f32.load
        (i32.add (global.get $cosines) (i32.shl (local.get $row) (i32.const 2)))))))
    (if (i32.eq (local.get $kind) (i32.const 3))
      (then (return (f64.promote_f32 (local.get $cosine)))))
    (f64.mul
      (f64.mul
        (f64.add (local.get $value) (f64.mul (global.get $worth)
          (f64.promote_f32 (f32.max (f32.const 0) (local.get $cosine)))))
        (f64.load (i32.add (global.get $factors) (i32.shl
          (i32.load16_u (i32.add (global.get $flags) (i32.shl (local.get $row) (i32.const 1))))
          (i32.const 3)))))
      (f64.promote_f32 (f32.load (i32.add (global.get $gains)
        (i32.shl (i32.shr_u (local.get $row) (i32.const 6)) (i32.const 2)))))))

  ;; Whether a row is of a kind: 0 talk that matches, 1 a prompt that matches, 2 and 3 what can be found.
  (func $is (param $kind i32) (param $row i32) (result i32)
    (if (i32.ge_u (local.get $kind) (i32.const 2))
      (then (return (call $eligible (local.get $row)))))
    (i32.and
      (i32.ne (i32.const 0) (i32.and
        (i32.shl (i32.const 4) (local.get $kind))
        (i32.load16_u (i32.add (global.get $flags) (i32.shl (local.get $row) (i32.const 1))))))
      (i32.ne (i32.const 0) (i32.load
        (i32.add (global.get $matched) (i32.shl (local.get $row) (i32.const 2)))))))

  (func $greatest (param $values v128) (result f32)
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $values)) (f32x4.extract_lane 1 (local.get $values)))
      (f32.max (f32x4.extract_lane 2 (local.get $values)) (f32x4.extract_lane 3 (local.get $values)))))

  ;; Looks at the rows from $row, a multiple of 64, to $end, four at a time, and notes the greatest values
  ;; of each 64 rows: not less than they are, nor more than rounding explains. $counts gets an u32 for each
  ;; set of terms, twice: without and with a cosine of at least $least; for rows that fail a filter again,
  ;; at its number << $shift (0: nothing is counted). Rows from $end on up to a multiple of four match
  ;; nothing, and are counted as such.
  (func (export "weigh") (param $row i32) (param $end i32) (param $counts i32)
    (param $shift i32)
    (local $stop i32) (local $block i32) (local $at i32)
    (local $scores i32) (local $sets i32) (local $cosines i32) (local $flags i32) (local $fails i32)
    (local $factors i32) (local $worth v128) (local $least v128)
    (local $set v128) (local $own v128) (local $cosine v128) (local $score v128) (local $live v128)
    (local $fail v128) (local $factor v128) (local $found v128) (local $none v128) (local $worded v128)
    (local $talk v128) (local $prompt v128) (local $key v128) (local $similar v128)
    (local.set $scores (global.get $score))
    (local.set $sets (global.get $matched))
    (local.set $cosines (global.get $cosines))
    (local.set $flags (global.get $flags))
    (local.set $fails (global.get $fails))
    (local.set $factors (global.get $rough_factors))
    (local.set $worth (f32x4.splat (f32.demote_f64 (global.get $worth))))
    (local.set $least (f32x4.splat (global.get $least)))
    (local.set $cosine (f32x4.splat (f32.const -1)))
    (local.set $none (f32x4.splat (f32.const -inf)))
    (block $all
      (loop $blocks
        (br_if $all (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $block (i32.add (global.get $maxima)
          (i32.shl (i32.shr_u (local.get $row) (i32.const 6)) (i32.const 2))))
        (local.set $stop (i32.add (local.get $row) (i32.const 64)))
        (if (i32.gt_u (local.get $stop) (local.get $end))
          (then (local.set $stop (local.get $end))))
        (local.set $talk (local.get $none))
        (local.set $prompt (local.get $none))
        (local.set $key (local.get $none))
        (local.set $similar (local.get $none))
        (block $done
          (loop $next
            (br_if $done (i32.ge_u (local.get $row) (local.get $stop)))
            (local.set $set (v128.load
              (i32.add (local.get $sets) (i32.shl (local.get $row) (i32.const 2)))))
            (if (local.get $cosines)
              (then (local.set $cosine (v128.load
                (i32.add (local.get $cosines) (i32.shl (local.get $row) (i32.const 2))))))
              (else
                ;; By words alone, rows without any are passed over.
                (if (i32.eqz (v128.any_true (local.get $set)))
                  (then
                    (local.set $row (i32.add (local.get $row) (i32.const 4)))
                    (br $next)))))
            (local.set $own (v128.load16x4_u
              (i32.add (local.get $flags) (i32.shl (local.get $row) (i32.const 1)))))
            (local.set $at (i32.add (local.get $scores) (i32.shl (local.get $row) (i32.const 3))))
            (local.set $score (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
              (f32x4.demote_f64x2_zero (v128.load (local.get $at)))
              (f32x4.demote_f64x2_zero (v128.load offset=16 (local.get $at)))))
            (local.set $live (i32x4.eq (v128.const i32x4 0 0 0 0)
              (v128.and (local.get $own) (v128.const i32x4 0x8001 0x8001 0x8001 0x8001))))
            (if (local.get $fails)
              (then
                (local.set $fail (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u
                  (v128.load32_zero (i32.add (local.get $fails) (local.get $row))))))))
            (local.set $row (i32.add (local.get $row) (i32.const 4)))
            (if (local.get $shift)
              (then
                (local.set $found (i32x4.shl
                  (i32x4.add
                    (i32x4.shl (local.get $fail) (local.get $shift))
                    (i32x4.sub
                      (i32x4.shl (local.get $set) (i32.const 1))
                      (v128.and (local.get $live)
                        (f32x4.ge (local.get $cosine) (local.get $least)))))
                  (i32.const 2)))
                (local.set $at (i32.add (local.get $counts)
                  (i32x4.extract_lane 0 (local.get $found))))
                (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
                (local.set $at (i32.add (local.get $counts)
                  (i32x4.extract_lane 1 (local.get $found))))
                (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
                (local.set $at (i32.add (local.get $counts)
                  (i32x4.extract_lane 2 (local.get $found))))
                (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
                (local.set $at (i32.add (local.get $counts)
                  (i32x4.extract_lane 3 (local.get $found))))
                (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))))
            (local.set $worded (i32x4.ne (local.get $set) (v128.const i32x4 0 0 0 0)))
            (local.set $talk (f32x4.max (local.get $talk) (v128.bitselect
              (local.get $score) (local.get $none) (v128.and (local.get $worded)
                (i32x4.ne (v128.const i32x4 0 0 0 0)
                  (v128.and (local.get $own) (v128.const i32x4 4 4 4 4)))))))
            (local.set $prompt (f32x4.max (local.get $prompt) (v128.bitselect
              (local.get $score) (local.get $none) (v128.and (local.get $worded)
                (i32x4.ne (v128.const i32x4 0 0 0 0)
                  (v128.and (local.get $own) (v128.const i32x4 8 8 8 8)))))))
            ;; can it be found?
            (local.set $found (v128.and
              (i32x4.eq (local.get $fail) (v128.const i32x4 0 0 0 0))
              (v128.or
                (local.get $worded)
                (v128.and (local.get $live) (f32x4.ge (local.get $cosine) (local.get $least))))))
            (local.set $similar (f32x4.max (local.get $similar) (v128.bitselect
              (local.get $cosine) (local.get $none) (local.get $found))))
            (local.set $own (i32x4.add (i32x4.splat (local.get $factors)) (i32x4.shl
              (v128.and (local.get $own) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff))
              (i32.const 2))))
            (local.set $factor (v128.load32_zero (i32x4.extract_lane 0 (local.get $own))))
            (local.set $factor
              (v128.load32_lane 1 (i32x4.extract_lane 1 (local.get $own)) (local.get $factor)))
            (local.set $factor
              (v128.load32_lane 2 (i32x4.extract_lane 2 (local.get $own)) (local.get $factor)))
            (local.set $factor
              (v128.load32_lane 3 (i32x4.extract_lane 3 (local.get $own)) (local.get $factor)))
            (local.set $key (f32x4.max (local.get $key) (v128.bitselect
              (f32x4.mul (local.get $factor) (f32x4.add (local.get $score)
                (f32x4.mul (local.get $worth)
                  (f32x4.max (v128.const i32x4 0 0 0 0) (local.get $cosine)))))
              (local.get $none) (local.get $found))))
            (br $next)))
        (local.set $row (local.get $stop))
        (f32.store (local.get $block)
          (f32.mul (call $greatest (local.get $talk)) (f32.const 1.000001)))
        (local.set $block (i32.add (local.get $block) (global.get $stride)))
        (f32.store (local.get $block)
          (f32.mul (call $greatest (local.get $prompt)) (f32.const 1.000001)))
        (local.set $block (i32.add (local.get $block) (global.get $stride)))
        (f32.store (local.get $block) (f32.mul
          (f32.mul (call $greatest (local.get $key)) (f32.const 1.000001))
          (f32.load (i32.add (global.get $gains)
            (i32.shl (i32.shr_u (i32.sub (local.get $row) (i32.const 1)) (i32.const 6))
              (i32.const 2))))))
        (local.set $block (i32.add (local.get $block) (global.get $stride)))
        (f32.store (local.get $block) (call $greatest (local.get $similar)))
        (br $blocks))))

  ;; Puts a value into a heap of up to $n with the least on top; returns how many it has then.
  (func $push (param $heap i32) (param $size i32) (param $n i32) (param $value f64) (result i32)
    (local $at i32) (local $child i32) (local $other f64)
    (if (i32.lt_u (local.get $size) (local.get $n))
      (then
        ;; up from the end
        (local.set $at (local.get $size))
        (block $placed
          (loop $up
            (br_if $placed (i32.eqz (local.get $at)))
            (local.set $child (i32.shr_u (i32.sub (local.get $at) (i32.const 1)) (i32.const 1)))
            (local.set $other (f64.load
              (i32.add (local.get $heap) (i32.shl (local.get $child) (i32.const 3)))))
            (br_if $placed (f64.le (local.get $other) (local.get $value)))
            (f64.store (i32.add (local.get $heap) (i32.shl (local.get $at) (i32.const 3)))
              (local.get $other))
            (local.set $at (local.get $child))
            (br $up)))
        (f64.store (i32.add (local.get $heap) (i32.shl (local.get $at) (i32.const 3)))
          (local.get $value))
        (return (i32.add (local.get $size) (i32.const 1)))))
    (if (f64.le (local.get $value) (f64.load (local.get $heap)))
      (then (return (local.get $size))))
    ;; down from the top
    (block $placed
      (loop $down
        (local.set $child (i32.add (i32.shl (local.get $at) (i32.const 1)) (i32.const 1)))
        (br_if $placed (i32.ge_u (local.get $child) (local.get $size)))
        (local.set $other (f64.load
          (i32.add (local.get $heap) (i32.shl (local.get $child) (i32.const 3)))))
        (if (i32.lt_u (i32.add (local.get $child) (i32.const 1)) (local.get $size))
          (then
            (if (f64.lt
                (f64.load offset=8
                  (i32.add (local.get $heap) (i32.shl (local.get $child) (i32.const 3))))
                (local.get $other))
              (then
                (local.set $child (i32.add (local.get $child) (i32.const 1)))
                (local.set $other (f64.load
                  (i32.add (local.get $heap) (i32.shl (local.get $child) (i32.const 3)))))))))
        (br_if $placed (f64.le (local.get $value) (local.get $other)))
        (f64.store (i32.add (local.get $heap) (i32.shl (local.get $at) (i32.const 3)))
          (local.get $other))
        (local.set $at (local.get $child))
        (br $down)))
    (f64.store (i32.add (local.get $heap) (i32.shl (local.get $at) (i32.const 3)))
      (local.get $value))
    (local.get $size))

  ;; The $n-th greatest value of a kind among the first $rows rows, or -infinity if there are fewer; $heap
  ;; has room for $n values. It is at least the $n-th greatest of the blocks' greatest, but for rounding:
  ;; other blocks are passed over.
  (func (export "nth") (param $kind i32) (param $rows i32) (param $n i32) (param $heap i32)
    (result f64)
    (local $size i32) (local $row i32) (local $maxima i32) (local $at i32) (local $stop i32)
    (local $value f64) (local $bar f64)
    (local.set $maxima (i32.add (global.get $maxima)
      (i32.mul (local.get $kind) (global.get $stride))))
    (local.set $at (local.get $maxima))
    (local.set $stop (i32.add (local.get $maxima) (i32.shl
      (i32.shr_u (i32.add (local.get $rows) (i32.const 63)) (i32.const 6)) (i32.const 2))))
    (block $known
      (loop $next
        (br_if $known (i32.ge_u (local.get $at) (local.get $stop)))
        (local.set $size (call $push
          (local.get $heap) (local.get $size) (local.get $n)
          (f64.promote_f32 (f32.load (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))
    (local.set $bar (f64.const -inf))
    (if (i32.eq (local.get $size) (local.get $n))
      (then (local.set $bar (f64.mul (f64.const 0.999995) (f64.load (local.get $heap))))))
    (if (f64.le (local.get $bar) (f64.const 0)) (then (local.set $bar (f64.const -inf))))
    (local.set $size (i32.const 0))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $rows)))
        (if (i32.eqz (i32.and (local.get $row) (i32.const 63)))
          (then
            (local.set $value (f64.promote_f32 (f32.load (local.get $maxima))))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 4)))
            (if (i32.or (f64.lt (local.get $value) (local.get $bar))
                (f64.eq (local.get $value) (f64.const -inf)))
              (then
                (local.set $row (i32.add (local.get $row) (i32.const 64)))
                (br $next)))))
        (if (call $is (local.get $kind) (local.get $row))
          (then
            (local.set $value (call $value (local.get $kind) (local.get $row)))
            (if (f64.ge (local.get $value) (local.get $bar))
              (then (local.set $size (call $push
                (local.get $heap) (local.get $size) (local.get $n) (local.get $value)))))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (if (result f64) (i32.lt_u (local.get $size) (local.get $n))
      (then (f64.const -inf))
      (else (f64.load (local.get $heap)))))

  ;; Writes the rows below $size that are of a kind and whose value is at least $bar to $out, in order;
  ;; returns how many.
  (func (export "collect") (param $kind i32) (param $size i32) (param $bar f64) (param $out i32)
    (result i32)
    (local $row i32) (local $from i32) (local $maxima i32) (local $most f64)
    (local.set $maxima (i32.add (global.get $maxima)
      (i32.mul (local.get $kind) (global.get $stride))))
    (local.set $from (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $size)))
        (if (i32.eqz (i32.and (local.get $row) (i32.const 63)))
          (then
            (local.set $most (f64.promote_f32 (f32.load (local.get $maxima))))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 4)))
            (if (i32.or (f64.lt (local.get $most) (local.get $bar))
                (f64.eq (local.get $most) (f64.const -inf)))
              (then
                (local.set $row (i32.add (local.get $row) (i32.const 64)))
                (br $next)))))
        (i32.store (local.get $out) (local.get $row))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $next (i32.eqz (call $is (local.get $kind) (i32.load (local.get $out)))))
        (br_if $next (f64.lt
          (call $value (local.get $kind) (i32.load (local.get $out))) (local.get $bar)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 2)))
)
