import assert from "node:assert/strict";
import { toPublic } from "../../../src/recall/pr/public_text.ts";

const around = {
  roots: ["/work/app", "/srv/clone"],
  home: "/data/jane",
  host: "jane-pc",
  chars: 200,
};
const cases: [said: string, told: string][] = [
  ["see /work/app/src/a.ts:12 and /srv/clone/b.ts", "see src/a.ts:12 and b.ts"],
  ["in /work/app, not /work/apple/x", "in ., not /work/apple/x"],
  ["file:///work/app/a.ts", "a.ts"],
  ["/data/jane/.ssh/id and /data/janet", "[path] and /data/janet"],
  ["/home/bob/x/y.ts, /Users/bob/z", "[path], [path]"],
  ["`/root/notes` ~/plan.md ~bob/x C:\\Users\\bob\\x", "`[path]` [path] [path] [path]"],
  ["/private/var/folders/zz/T/x /mnt/c/Users/bob", "[path] [path]"],
  [
    "GET /api/users/7 in src/root/a.ts, /etc/hosts",
    "GET /api/users/7 in src/root/a.ts, /etc/hosts",
  ],
  ["bob@example.org and git@host.example:o/r", "[address] and [address]:o/r"],
  ["bob@nas: ls", "[address]: ls"],
  ["deno@2.9.5, react@latest, @scope/pkg", "deno@2.9.5, react@latest, @scope/pkg"],
  [
    "https://wiki.corp/x at 192.168.1.20:80, v10.0.1.2.3",
    "https://[host]/x at [address]:80, v10.0.1.2.3",
  ],
  ["on Jane-PC, not on jane-pcs", "on [host], not on jane-pcs"],
  ["key AKIAQ3EGVT5RM2WNK7XZ", "key [REDACTED:aws-access-key-id]"],
  ["a\u202eb\u200bc\u0007d\n\te \ud800", "abcd e \ufffd"],
];

for (const [said, told] of cases) {
  Deno.test(`toPublic: ${JSON.stringify(said)}`, () => {
    assert.equal(toPublic(said, around), told);
  });
}

Deno.test("toPublic: what cannot be seen hides no secret and no path", () => {
  assert.equal(
    toPublic("/ho\u200bme/bob/x AKIAQ3EG\u200bVT5RM2WNK7XZ", around),
    "[path] [REDACTED:aws-access-key-id]",
  );
});

Deno.test("toPublic: long and odd texts are cut and cost little", () => {
  for (const piece of ["/work/app", "a@", "/home/", "~", "x.", "10.", "/root", "://a."]) {
    assert.ok(toPublic(piece.repeat(400_000), around).length <= 200);
  }
});
