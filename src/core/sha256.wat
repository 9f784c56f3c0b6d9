;; SHA-256 of whole blocks. `src/core/sha256.ts` holds this module assembled, as base64, and pads what is
;; left of a text.
(module
  (memory (export "memory") 1)

  ;; The constants of the rounds.
  (data (i32.const 0)
    "\98\2f\8a\42\91\44\37\71\cf\fb\c0\b5\a5\db\b5\e9\5b\c2\56\39\f1\11\f1\59\a4\82\3f\92\d5\5e\1c\ab"
    "\98\aa\07\d8\01\5b\83\12\be\85\31\24\c3\7d\0c\55\74\5d\be\72\fe\b1\de\80\a7\06\dc\9b\74\f1\9b\c1"
    "\c1\69\9b\e4\86\47\be\ef\c6\9d\c1\0f\cc\a1\0c\24\6f\2c\e9\2d\aa\84\74\4a\dc\a9\b0\5c\da\88\f9\76"
    "\52\51\3e\98\6d\c6\31\a8\c8\27\03\b0\c7\7f\59\bf\f3\0b\e0\c6\47\91\a7\d5\51\63\ca\06\67\29\29\14"
    "\85\0a\b7\27\38\21\1b\2e\fc\6d\2c\4d\13\0d\38\53\54\73\0a\65\bb\0a\6a\76\2e\c9\c2\81\85\2c\72\92"
    "\a1\e8\bf\a2\4b\66\1a\a8\70\8b\4b\c2\a3\51\6c\c7\19\e8\92\d1\24\06\99\d6\85\35\0e\f4\70\a0\6a\10"
    "\16\c1\a4\19\08\6c\37\1e\4c\77\48\27\b5\bc\b0\34\b3\0c\1c\39\4a\aa\d8\4e\4f\ca\9c\5b\f3\6f\2e\68"
    "\ee\82\8f\74\6f\63\a5\78\14\78\c8\84\08\02\c7\8c\fa\ff\be\90\eb\6c\50\a4\f7\a3\f9\be\f2\78\71\c6")

  ;; Adds blocks of 64 bytes to the state of eight words at 512; the words of a block are laid out at 256.
  (func (export "add") (param $block i32) (param $count i32)
    (local $i i32) (local $word i32) (local $early i32) (local $late i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $e i32) (local $f i32) (local $g i32) (local $h i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $i (i32.const 0))
        (loop $read
          ;; The bytes of a word stand the other way round.
          (local.set $word (i32.load (i32.add (local.get $block) (local.get $i))))
          (i32.store offset=256 (local.get $i)
            (i32.or
              (i32.and (i32.rotl (local.get $word) (i32.const 8)) (i32.const 0x00ff00ff))
              (i32.and (i32.rotr (local.get $word) (i32.const 8)) (i32.const 0xff00ff00))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $read (i32.lt_u (local.get $i) (i32.const 64))))
        (loop $extend
          (local.set $early (i32.load offset=196 (local.get $i)))
          (local.set $late (i32.load offset=248 (local.get $i)))
          (i32.store offset=256 (local.get $i)
            (i32.add
              (i32.add (i32.load offset=192 (local.get $i)) (i32.load offset=228 (local.get $i)))
              (i32.add
                (i32.xor (i32.rotr (local.get $early) (i32.const 7))
                  (i32.xor (i32.rotr (local.get $early) (i32.const 18))
                    (i32.shr_u (local.get $early) (i32.const 3))))
                (i32.xor (i32.rotr (local.get $late) (i32.const 17))
                  (i32.xor (i32.rotr (local.get $late) (i32.const 19))
                    (i32.shr_u (local.get $late) (i32.const 10)))))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $extend (i32.lt_u (local.get $i) (i32.const 256))))
        (local.set $a (i32.load (i32.const 512)))
        (local.set $b (i32.load (i32.const 516)))
        (local.set $c (i32.load (i32.const 520)))
        (local.set $d (i32.load (i32.const 524)))
        (local.set $e (i32.load (i32.const 528)))
        (local.set $f (i32.load (i32.const 532)))
        (local.set $g (i32.load (i32.const 536)))
        (local.set $h (i32.load (i32.const 540)))
        (local.set $i (i32.const 0))
        (loop $round
          (local.set $late
            (i32.add
              (i32.add (local.get $h)
                (i32.xor (i32.rotr (local.get $e) (i32.const 6))
                  (i32.xor (i32.rotr (local.get $e) (i32.const 11))
                    (i32.rotr (local.get $e) (i32.const 25)))))
              (i32.add
                (i32.xor (local.get $g)
                  (i32.and (local.get $e) (i32.xor (local.get $f) (local.get $g))))
                (i32.add (i32.load (local.get $i)) (i32.load offset=256 (local.get $i))))))
          (local.set $early
            (i32.add
              (i32.xor (i32.rotr (local.get $a) (i32.const 2))
                (i32.xor (i32.rotr (local.get $a) (i32.const 13))
                  (i32.rotr (local.get $a) (i32.const 22))))
              (i32.or (i32.and (local.get $a) (local.get $b))
                (i32.and (local.get $c) (i32.or (local.get $a) (local.get $b))))))
          (local.set $h (local.get $g))
          (local.set $g (local.get $f))
          (local.set $f (local.get $e))
          (local.set $e (i32.add (local.get $d) (local.get $late)))
          (local.set $d (local.get $c))
          (local.set $c (local.get $b))
          (local.set $b (local.get $a))
          (local.set $a (i32.add (local.get $late) (local.get $early)))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $round (i32.lt_u (local.get $i) (i32.const 256))))
        (i32.store (i32.const 512) (i32.add (i32.load (i32.const 512)) (local.get $a)))
        (i32.store (i32.const 516) (i32.add (i32.load (i32.const 516)) (local.get $b)))
        (i32.store (i32.const 520) (i32.add (i32.load (i32.const 520)) (local.get $c)))
        (i32.store (i32.const 524) (i32.add (i32.load (i32.const 524)) (local.get $d)))
        (i32.store (i32.const 528) (i32.add (i32.load (i32.const 528)) (local.get $e)))
        (i32.store (i32.const 532) (i32.add (i32.load (i32.const 532)) (local.get $f)))
        (i32.store (i32.const 536) (i32.add (i32.load (i32.const 536)) (local.get $g)))
        (i32.store (i32.const 540) (i32.add (i32.load (i32.const 540)) (local.get $h)))
        (local.set $block (i32.add (local.get $block) (i32.const 64)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))
)
