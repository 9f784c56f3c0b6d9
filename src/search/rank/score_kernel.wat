;; The loops of a search that look at every matching row. `score_kernel.ts` holds this module
;; assembled, as base64; test/search/score_kernel_test.ts assembles this text again and compares.
;; Compiled at once and fast from the first row on, where a fresh process still interprets
;; JavaScript. All arrays are in the module's memory; `score_memory.ts` places them.
(module
  (memory (export "memory") 1)

  ;; Adds one posting list (coded as in src/index/segment/postings.ts) to the scores, and returns how many
  ;; rows have one now. $model is k1, k1 + 1, then for each field 32 bytes: the address of its
  ;; lengths (0: not there yet; those of the text are), weight, flat, slope; from byte 256 on it is
  ;; work space of 2 KiB. When lengths are missing it returns -1 - field, with the place to go on at
  ;; $resume: address in the list, last row, rows so far.
  (func (export "accumulate")
    (param $list i32) (param $end i32) (param $row i32) (param $base i32) (param $dead i32)
    (param $bit i32) (param $idf f64) (param $model i32) (param $resume i32)
    (param $score i32) (param $matched i32) (param $touched i32) (param $count i32)
    (result i32)
    (local $byte i32) (local $shift i32) (local $head i32) (local $kind i32) (local $mask i32)
    (local $field i32) (local $facts i32) (local $times i32) (local $start i32) (local $from i32)
    (local $length i32) (local $text i32) (local $worth f64) (local $gain f64)
    ;; What most postings add, "once in a text of $length words", worked out for short texts.
    (local.set $text (i32.load offset=80 (local.get $model)))
    (loop $lengths
      (local.set $worth (f64.div (f64.load offset=88 (local.get $model))
        (f64.add (f64.load offset=96 (local.get $model))
          (f64.mul (f64.load offset=104 (local.get $model))
            (f64.convert_i32_u (local.get $length))))))
      (f64.store offset=256 (i32.add (local.get $model) (i32.shl (local.get $length) (i32.const 3)))
        (f64.div
          (f64.mul (f64.mul (local.get $idf) (local.get $worth))
            (f64.load offset=8 (local.get $model)))
          (f64.add (f64.load (local.get $model)) (local.get $worth))))
      (local.set $length (i32.add (local.get $length) (i32.const 1)))
      (br_if $lengths (i32.lt_u (local.get $length) (i32.const 256))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $start (local.get $list))
        (local.set $from (local.get $row))
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
        (local.set $kind (i32.and (local.get $head) (i32.const 3)))
        (block $gained
          (if (i32.eqz (local.get $kind))
            (then
              (local.set $length (i32.load16_u
                (i32.add (local.get $text) (i32.shl (local.get $row) (i32.const 1)))))
              (if (i32.lt_u (local.get $length) (i32.const 256))
                (then
                  (local.set $gain (f64.load offset=256
                    (i32.add (local.get $model) (i32.shl (local.get $length) (i32.const 3)))))
                  (br $gained)))))
          ;; which fields: the text alone, or those of a mask
          (local.set $mask (i32.const 4))
          (if (i32.ge_u (local.get $kind) (i32.const 2))
            (then
              (local.set $mask (i32.load8_u (local.get $list)))
              (local.set $list (i32.add (local.get $list) (i32.const 1)))))
          (local.set $worth (f64.const 0))
          (local.set $field (i32.const 0))
          (local.set $facts (i32.add (local.get $model) (i32.const 16)))
          (loop $fields
            (if (i32.and (local.get $mask) (i32.const 1))
              (then
                (if (i32.eqz (i32.load (local.get $facts)))
                  (then
                    (i32.store (local.get $resume) (local.get $start))
                    (i32.store offset=4 (local.get $resume) (local.get $from))
                    (i32.store offset=8 (local.get $resume) (local.get $count))
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
                ;; worth += weight * times / (flat + slope * length)
                (local.set $worth (f64.add (local.get $worth)
                  (f64.div
                    (f64.mul (f64.load offset=8 (local.get $facts))
                      (f64.convert_i32_u (local.get $times)))
                    (f64.add (f64.load offset=16 (local.get $facts))
                      (f64.mul (f64.load offset=24 (local.get $facts))
                        (f64.convert_i32_u (i32.load16_u
                          (i32.add (i32.load (local.get $facts))
                            (i32.shl (local.get $row) (i32.const 1))))))))))))
            (local.set $field (i32.add (local.get $field) (i32.const 1)))
            (local.set $facts (i32.add (local.get $facts) (i32.const 32)))
            (local.set $mask (i32.shr_u (local.get $mask) (i32.const 1)))
            (br_if $fields (local.get $mask)))
          ;; gain = idf * worth * (k1 + 1) / (k1 + worth)
          (local.set $gain
            (f64.div
              (f64.mul (f64.mul (local.get $idf) (local.get $worth))
                (f64.load offset=8 (local.get $model)))
              (f64.add (f64.load (local.get $model)) (local.get $worth)))))
        ;; a dead row counts for nothing
        (if (local.get $dead)
          (then
            (br_if $next (i32.load8_u (i32.add (local.get $dead) (local.get $row))))))
        (local.set $start (i32.add (local.get $base) (local.get $row)))
        (local.set $from (i32.add (local.get $matched) (i32.shl (local.get $start) (i32.const 2))))
        (local.set $byte (i32.load (local.get $from)))
        (if (i32.eqz (local.get $byte))
          (then
            (i32.store (i32.add (local.get $touched) (i32.shl (local.get $count) (i32.const 2)))
              (local.get $start))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))))
        (i32.store (local.get $from) (i32.or (local.get $byte) (local.get $bit)))
        (local.set $start (i32.add (local.get $score) (i32.shl (local.get $start) (i32.const 3))))
        (f64.store (local.get $start)
          (f64.add (f64.load (local.get $start)) (local.get $gain)))
        (br $next)))
    (local.get $count))

  ;; Counts rows by what they match: $counts holds an u32 for each set of terms.
  (func (export "count") (param $rows i32) (param $count i32) (param $matched i32) (param $counts i32)
    (local $end i32) (local $at i32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $at (i32.add (local.get $counts) (i32.shl
          (i32.load (i32.add (local.get $matched) (i32.shl (i32.load (local.get $rows)) (i32.const 2))))
          (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $next))))

  ;; Gives the texts of talk and tools the lengths that they count as: where a row has one of the
  ;; flags of $mask. $table has those of lengths below 512; longer ones are worked out as
  ;; `looseLength` does it.
  (func (export "loosen") (param $lengths i32) (param $flags i32) (param $rows i32) (param $mask i32)
    (param $table i32) (param $raise f64) (param $scale f64) (param $lower f64)
    (local $end i32) (local $length i32)
    (local.set $end (i32.add (local.get $lengths) (i32.shl (local.get $rows) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $lengths) (local.get $end)))
        (if (i32.and (i32.load16_u (local.get $flags)) (local.get $mask))
          (then
            (local.set $length (i32.load16_u (local.get $lengths)))
            (i32.store16 (local.get $lengths)
              (if (result i32) (i32.lt_u (local.get $length) (i32.const 512))
                (then (i32.load16_u
                  (i32.add (local.get $table) (i32.shl (local.get $length) (i32.const 1)))))
                (else (i32.trunc_f64_u (f64.max (f64.const 0) (f64.floor (f64.add (f64.const 0.5)
                  (f64.sub
                    (f64.mul (local.get $scale)
                      (f64.add (local.get $raise) (f64.convert_i32_u (local.get $length))))
                    (local.get $lower)))))))))))
        (local.set $lengths (i32.add (local.get $lengths) (i32.const 2)))
        (local.set $flags (i32.add (local.get $flags) (i32.const 2)))
        (br $next))))

  ;; For each 64 of some rows, the greatest key: whoever looks for great ones passes over the others.
  (func (export "maxima") (param $rows i32) (param $count i32) (param $key i32) (param $maxima i32)
    (local $end i32) (local $stop i32) (local $most f64)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $stop (i32.add (local.get $rows) (i32.const 256)))
        (if (i32.gt_u (local.get $stop) (local.get $end))
          (then (local.set $stop (local.get $end))))
        (local.set $most (f64.const -inf))
        (loop $next
          (local.set $most (f64.max (local.get $most) (f64.load
            (i32.add (local.get $key) (i32.shl (i32.load (local.get $rows)) (i32.const 3))))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
          (br_if $next (i32.lt_u (local.get $rows) (local.get $stop))))
        (f64.store (local.get $maxima) (local.get $most))
        (local.set $maxima (i32.add (local.get $maxima) (i32.const 8)))
        (br $blocks))))

  ;; The $n-th greatest key of those rows that have one of the flags of $mask (0: of all), or
  ;; -infinity if there are fewer; $heap has room for $n keys. A heap with the least on top; blocks
  ;; whose greatest key is not above that are passed over.
  (func (export "nth") (param $rows i32) (param $count i32) (param $key i32) (param $maxima i32)
    (param $flags i32) (param $mask i32) (param $n i32) (param $heap i32) (result f64)
    (local $end i32) (local $stop i32) (local $size i32) (local $at i32) (local $child i32)
    (local $row i32) (local $value f64) (local $other f64)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (if (i32.ge_u (local.get $rows) (local.get $stop))
          (then
            (local.set $value (f64.load (local.get $maxima)))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 8)))
            (local.set $stop (i32.add (local.get $rows) (i32.const 256)))
            (if (i32.eq (local.get $size) (local.get $n))
              (then
                (if (f64.le (local.get $value) (f64.load (local.get $heap)))
                  (then
                    (local.set $rows (local.get $stop))
                    (br $next)))))))
        (local.set $row (i32.load (local.get $rows)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (if (local.get $mask)
          (then
            (br_if $next (i32.eqz (i32.and (local.get $mask) (i32.load16_u
              (i32.add (local.get $flags) (i32.shl (local.get $row) (i32.const 1)))))))))
        (local.set $value (f64.load
          (i32.add (local.get $key) (i32.shl (local.get $row) (i32.const 3)))))
        (if (i32.lt_u (local.get $size) (local.get $n))
          (then
            ;; up from the end
            (local.set $at (local.get $size))
            (local.set $size (i32.add (local.get $size) (i32.const 1)))
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
            (br $next)))
        (br_if $next (f64.le (local.get $value) (f64.load (local.get $heap))))
        ;; down from the top
        (local.set $at (i32.const 0))
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
        (br $next)))
    (if (result f64) (i32.lt_u (local.get $size) (local.get $n))
      (then (f64.const -inf))
      (else (f64.load (local.get $heap)))))

  ;; Writes those rows that have one of the flags of $mask (0: all) and whose key is at least $bar to
  ;; $out, in their order; returns how many.
  (func (export "collect") (param $rows i32) (param $count i32) (param $key i32) (param $maxima i32)
    (param $flags i32) (param $mask i32) (param $bar f64) (param $out i32) (result i32)
    (local $end i32) (local $stop i32) (local $row i32) (local $from i32) (local $most f64)
    (local.set $from (local.get $out))
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (if (i32.ge_u (local.get $rows) (local.get $stop))
          (then
            (local.set $most (f64.load (local.get $maxima)))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 8)))
            (local.set $stop (i32.add (local.get $rows) (i32.const 256)))
            (if (f64.lt (local.get $most) (local.get $bar))
              (then
                (local.set $rows (local.get $stop))
                (br $next)))))
        (local.set $row (i32.load (local.get $rows)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (if (local.get $mask)
          (then
            (br_if $next (i32.eqz (i32.and (local.get $mask) (i32.load16_u
              (i32.add (local.get $flags) (i32.shl (local.get $row) (i32.const 1)))))))))
        (br_if $next (f64.lt
          (f64.load (i32.add (local.get $key) (i32.shl (local.get $row) (i32.const 3))))
          (local.get $bar)))
        (i32.store (local.get $out) (local.get $row))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 2)))

  ;; Writes the rows from 0 to $size that match no term but have a cosine of at least $near to $out,
  ;; in order; returns how many. Behind both arrays there is room up to a multiple of four.
  (func (export "near") (param $matched i32) (param $cosines i32) (param $size i32) (param $near f32)
    (param $out i32) (result i32)
    (local $row i32) (local $from i32) (local $bits i32) (local $bar v128)
    (local.set $from (local.get $out))
    (local.set $bar (f32x4.splat (local.get $near)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $size)))
        (local.set $bits (i32x4.bitmask (v128.andnot
          (f32x4.ge (v128.load (local.get $cosines)) (local.get $bar))
          (i32x4.ne (v128.load (local.get $matched)) (v128.const i32x4 0 0 0 0)))))
        (local.set $cosines (i32.add (local.get $cosines) (i32.const 16)))
        (local.set $matched (i32.add (local.get $matched) (i32.const 16)))
        (block $none
          (loop $each
            (br_if $none (i32.eqz (local.get $bits)))
            (i32.store (local.get $out)
              (i32.add (local.get $row) (i32.ctz (local.get $bits))))
            (if (i32.lt_u (i32.load (local.get $out)) (local.get $size))
              (then (local.set $out (i32.add (local.get $out) (i32.const 4)))))
            (local.set $bits (i32.and (local.get $bits)
              (i32.sub (local.get $bits) (i32.const 1))))
            (br $each)))
        (local.set $row (i32.add (local.get $row) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 2)))

  ;; Words alone: for each of some rows its key, score * $factors[flags]; and, as `maxima` does it, the
  ;; greatest of each 64.
  (func (export "weigh") (param $rows i32) (param $count i32) (param $score i32) (param $flags i32)
    (param $factors i32) (param $key i32) (param $maxima i32)
    (local $row i32) (local $end i32) (local $stop i32) (local $value f64) (local $greatest f64)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $stop (i32.add (local.get $rows) (i32.const 256)))
    (local.set $greatest (f64.const -inf))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $row (i32.load (local.get $rows)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $value
          (f64.mul
            (f64.load (i32.add (local.get $score) (i32.shl (local.get $row) (i32.const 3))))
            (f64.load (i32.add (local.get $factors) (i32.shl
              (i32.load16_u (i32.add (local.get $flags) (i32.shl (local.get $row) (i32.const 1))))
              (i32.const 3))))))
        (f64.store (i32.add (local.get $key) (i32.shl (local.get $row) (i32.const 3)))
          (local.get $value))
        (local.set $greatest (f64.max (local.get $greatest) (local.get $value)))
        (if (i32.eq (local.get $rows) (local.get $stop))
          (then
            (f64.store (local.get $maxima) (local.get $greatest))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 8)))
            (local.set $greatest (f64.const -inf))
            (local.set $stop (i32.add (local.get $stop) (i32.const 256)))))
        (br $next)))
    (f64.store (local.get $maxima) (local.get $greatest)))

  ;; Makes the cosines of some rows (f32) their keys.
  (func (export "similar") (param $rows i32) (param $count i32) (param $cosines i32) (param $key i32)
    (local $row i32) (local $end i32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $row (i32.load (local.get $rows)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (f64.store (i32.add (local.get $key) (i32.shl (local.get $row) (i32.const 3)))
          (f64.promote_f32 (f32.load
            (i32.add (local.get $cosines) (i32.shl (local.get $row) (i32.const 2))))))
        (br $next))))

  ;; Both legs together: for each of some rows its key, (score + $worth * cosine) * $factors[flags]
  ;; (a negative cosine counts as none), and the greatest of each 64. $counts gets an u32 for each set of terms, twice: without and with a cosine of
  ;; at least $near. $best gets the greatest cosine (an f32) of the rows that are near or whose set
  ;; has a 1 at $pass.
  (func (export "fuse") (param $rows i32) (param $count i32) (param $matched i32)
    (param $cosines i32) (param $score i32) (param $flags i32) (param $factors i32)
    (param $near f32) (param $worth f64) (param $pass i32) (param $counts i32) (param $best i32)
    (param $key i32) (param $maxima i32)
    (local $factor f64) (local $greatest f64) (local $stop i32) (local $row i32) (local $end i32) (local $bits i32) (local $is_near i32) (local $at i32)
    (local $cosine f32) (local $most f32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $stop (i32.add (local.get $rows) (i32.const 256)))
    (local.set $greatest (f64.const -inf))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $row (i32.load (local.get $rows)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $bits (i32.load
          (i32.add (local.get $matched) (i32.shl (local.get $row) (i32.const 2)))))
        (local.set $cosine (f32.load
          (i32.add (local.get $cosines) (i32.shl (local.get $row) (i32.const 2)))))
        (local.set $is_near (f32.ge (local.get $cosine) (local.get $near)))
        (local.set $at (i32.add (local.get $counts)
          (i32.shl
            (i32.or (i32.shl (local.get $bits) (i32.const 1)) (local.get $is_near))
            (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (if (i32.or (local.get $is_near)
            (i32.load8_u (i32.add (local.get $pass) (local.get $bits))))
          (then (local.set $most (f32.max (local.get $most) (local.get $cosine)))))
        (local.set $factor (f64.load (i32.add (local.get $factors) (i32.shl
          (i32.load16_u (i32.add (local.get $flags) (i32.shl (local.get $row) (i32.const 1))))
          (i32.const 3)))))
        (local.set $row (i32.shl (local.get $row) (i32.const 3)))
        (local.set $factor
          (f64.mul (local.get $factor) (f64.add
            (f64.load (i32.add (local.get $score) (local.get $row)))
            (f64.mul (local.get $worth)
              (f64.promote_f32 (f32.max (f32.const 0) (local.get $cosine)))))))
        (f64.store (i32.add (local.get $key) (local.get $row)) (local.get $factor))
        (local.set $greatest (f64.max (local.get $greatest) (local.get $factor)))
        (if (i32.eq (local.get $rows) (local.get $stop))
          (then
            (f64.store (local.get $maxima) (local.get $greatest))
            (local.set $maxima (i32.add (local.get $maxima) (i32.const 8)))
            (local.set $greatest (f64.const -inf))
            (local.set $stop (i32.add (local.get $stop) (i32.const 256)))))
        (br $next)))
    (f64.store (local.get $maxima) (local.get $greatest))
    (f32.store (local.get $best) (local.get $most)))
)
