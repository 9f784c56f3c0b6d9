import assert from "node:assert/strict";
import { gitCommands } from "../../../src/recall/distil/find_commits.ts";
import { toShellCommands } from "../../../src/core/rows/shell_commands.ts";
import { distilSession, type RecordDraft } from "../../../src/recall/distil/distil_session.ts";
import { isObject } from "../../../src/core/json.ts";
import { recordOf } from "../../../src/core/rows/record.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";

const body = `Parcels were weighed twice because the scale answers
before it has settled. Wait for isStable instead of sleeping.

- The label printer is only started when a weight is there
- Parcels of the second table take the path of the first
- The driver of the scale has its own log and a switch to turn it on
- The page of the packing table shows both weights side by side
- Rename two variables

Co-Authored-By: Somebody <a@b.c>
Entire-Checkpoint: 1a2b3c
🤖 Generated with an agent`;

const why = "Labels came out blank because startPrinter ran before the table knew anything. " +
  "The queue now holds them until somebody has put a parcel down, so that no roll is wasted.";

function commit(subject: string, rest = ""): Step {
  const message = rest === "" ? subject : `${subject}\n\n${rest}`;
  return {
    run: `git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`,
    output: `[main 1a2b3c4] ${subject}\n 1 file changed`,
  };
}

/** The records that the commits of a session make. */
function derive(steps: readonly Step[]): RecordDraft[] {
  const start: Step[] = [{ user: "The scale of the packing table is wrong" }, {
    edit: "src/scale.ts",
  }];
  return distilSession("S-made", madeSession([...start, ...steps]))
    .filter(({ type, record }) =>
      type !== "digest" && isObject(record) && record.grade === "derived"
    );
}

Deno.test("a commit is a decision: its subject, its reasons, and what it rests on", () => {
  const [made, ...more] = derive([commit("Wait until the scale has settled", body)]);
  assert.deepEqual(more, []);
  assert.equal(made.type, "decision");
  assert.equal(made.title, "Wait until the scale has settled");
  assert.equal(
    made.text,
    "Wait until the scale has settled.\n" +
      "Parcels were weighed twice because the scale answers before it has settled.\n" +
      "Wait for isStable instead of sleeping.\n" +
      "The label printer is only started when a weight is there.",
  );
  // The call, git's answer, the prompt and the edit.
  assert.deepEqual(made.refs, ["S-made-4", "S-made-5", "S-made-1", "S-made-2"]);
  assert.deepEqual(made.files, ["src/scale.ts"]);
});

Deno.test("a commit is about the files that it took, not about the others of its session", () => {
  const web = commit("Wait until the scale has settled", body);
  const desk = commit("Print labels only once a weight is there", `${why} ${why} ${why}`);
  assert.ok("run" in web && "run" in desk);
  const filesOf = (steps: readonly Step[]): (string[] | undefined)[] =>
    derive(steps).map(({ files }) => files);
  const apart: Step[] = [web, { edit: "desk/label.rs" }, desk];
  assert.deepEqual(filesOf(apart), [["src/scale.ts"], ["desk/label.rs"]]);
  // Both were edited before; each commit names what it takes.
  const named = (step: { run: string; output?: string }, paths: string): Step => ({
    ...step,
    run: step.run.replace("git add -A", `git add ${paths}`),
  });
  const edits: Step[] = [{ edit: "/w/desk/label.rs" }, { edit: "/w/desk/paper.rs" }];
  assert.deepEqual(
    filesOf([...edits, named(desk, "desk/label.rs ./desk/paper.rs"), named(web, "src/")]),
    [["/w/desk/label.rs", "/w/desk/paper.rs"], ["src/scale.ts"]],
  );
  assert.deepEqual(filesOf([...edits, named(desk, "desk/label.rs"), web]), [
    ["/w/desk/label.rs"],
    ["src/scale.ts", "/w/desk/paper.rs"],
  ]);
  // Staged in a step of its own, committed when asked for, and amended.
  assert.deepEqual(
    filesOf([
      { edit: "desk/label.rs" },
      { run: "git add desk" },
      { user: "Commit the labels of the desk" },
      { ...desk, run: desk.run.replace("git add -A && ", "") },
      { edit: "desk/paper.rs" },
      { ...desk, run: desk.run.replace("commit -m", "commit -a --amend -m") },
    ]),
    [["desk/label.rs", "src/scale.ts", "desk/paper.rs"]],
  );
  const [bare] = derive([named(web, "README.md")]);
  assert.equal(bare.files, undefined, "it took none of the edits");
});

Deno.test("a commit that says so is a fix, which is not told: the next one may replace it", () => {
  for (
    const subject of [
      "fix: weigh parcels once on the table",
      "Fix the scale: wait for its stable bit",
      "refactor: fix the scale weighing parcels twice",
    ]
  ) {
    const records = distilSession(
      "S-made",
      madeSession([{ user: "Do it" }, commit(subject, body)]),
    );
    const made = records.find(({ text }) => text.startsWith(subject));
    assert.equal(made?.type, "fix", subject);
    assert.equal(made && recordOf(made)?.grade, "candidate", subject);
  }
});

Deno.test("a session start is told of a commit that says what must hold or names code in its reasons", () => {
  const narrow = (text: string): unknown[] =>
    derive([commit("Wait until the scale has settled", text)]).map((row) => recordOf(row)?.narrow);
  assert.deepEqual(narrow(body), [true]);
  assert.deepEqual(narrow(body.replace("isStable", "the stable bit")), ["silent"]);
  assert.deepEqual(narrow("The table requires a weight before it starts the printer."), [true]);
});

Deno.test("a commit whose reason does not fit a line is not told", () => {
  const subject = "Wait until the scale has settled";
  const reason = "The table weighs each parcel twice because isStable comes late";
  assert.equal(derive([commit(subject, `${body}\n${reason}.`)]).length, 1);
  assert.deepEqual(
    derive([commit(subject, `${reason}, ${"and late again, ".repeat(20)}yes.`)]),
    [],
  );
});

Deno.test("a commit that git refused, or that was taken back, makes no record", () => {
  const subject = "Wait until the scale has settled";
  const made = commit(subject, body);
  assert.ok("run" in made);
  assert.deepEqual(derive([{ ...made, output: "hook failed", failed: true }]), []);
  assert.deepEqual(derive([{ ...made, output: "nothing to commit, working tree clean" }]), []);
  const revert = { run: "git revert HEAD", output: `[main 2b3c4d5] Revert "${subject}"` };
  assert.deepEqual(derive([made, revert]), []);
  assert.deepEqual(derive([made, { run: "git reset --hard HEAD~1", output: "HEAD is now" }]), []);
  // What does not report a commit has made it all the same, unless something hides that it failed.
  const quiet = made.run.replace("commit -m", "commit -qm");
  for (const run of [quiet, made.run, made.run.replace("git commit", "rtk git commit")]) {
    assert.equal(derive([{ run, output: "ok" }]).length, 1, run);
    assert.deepEqual(derive([{ run: `${run} || true`, output: "ok" }]), [], run);
    assert.deepEqual(derive([{ run: `${run} | tail -3`, output: "ok" }]), [], run);
    assert.deepEqual(derive([{ run: `${run}; git status`, output: "ok" }]), [], run);
    assert.deepEqual(derive([{ run, output: "Command running in background with ID: 7" }]), []);
  }
  const message = `${subject}\n\n${body}`;
  for (
    const run of [
      `grep -rn 'git commit -qm "${message}"' docs`,
      `cat > HELP.md <<'END'\ngit commit -q -m "${message}"\nEND`,
      `git commit -q --dry-run -m "${message}"`,
      `python3 -c "\ngit commit -m '${message}'\n"`,
    ]
  ) assert.deepEqual(derive([{ run, output: "" }]), [], run);
});

Deno.test("a commit without git's report is made where nothing was printed against it", () => {
  const made = commit("Wait until the scale has settled", body);
  assert.ok("run" in made);
  const quiet = made.run.replace("commit -m", "commit -qm");
  for (
    const output of [
      "✖ eslint --fix:\n  12 problems\nhusky - pre-commit script failed (code 1)",
      "src/a.ts\n  3:1  error  'x' is not defined  no-undef\n\n✖ 1 problem",
      "summary: (done in 1.2 seconds)\n🥊  lint",
      "On branch main\n\nUntracked files:\n  x",
      "The user doesn't want to proceed with this tool use.",
    ]
  ) {
    assert.deepEqual(derive([{ run: made.run, output }]), [], output);
    assert.deepEqual(derive([{ run: quiet, output }]), [], output);
  }
  assert.equal(derive([{ run: `${quiet} && git push`, output: "main -> main" }]).length, 1);
  // Git would have told of it.
  assert.deepEqual(derive([{ run: made.run, output: "something else" }]), []);
  assert.deepEqual(derive([{ run: made.run.replace("git commit", "echo git commit") }]), []);
});

Deno.test("resets and amends take back the commits that they are about", () => {
  const one = commit("Wait until the scale has settled");
  const two = commit("Print labels only once a weight is there");
  assert.ok("run" in one && "run" in two);
  const second = { ...two, output: "[main 2b3c4d5] Print labels only once a weight is there" };
  const start: Step[] = [{ user: "The scale of the packing table is wrong" }, {
    edit: "src/scale.ts",
  }];
  const left = (...steps: Step[]): number =>
    distilSession("S-made", madeSession([...start, ...steps]))
      .find(({ type }) => type === "digest")?.text.match(/Wait until|Print labels/g)?.length ?? 0;
  for (
    const [run, count] of [
      ["git reset --hard HEAD~1", 1],
      ["git reset HEAD^^", 0],
      ["git reset --hard 1a2b3c4d", 1],
      ["git reset --soft 9f8e7d6", 0],
      ["git reset --hard origin/main", 0],
      ["git reset --hard", 2],
      ["git reset HEAD~1 -- src/a.ts", 2],
      ["git reset HEAD~1 src/a.ts", 2],
      ["git reset src/a.ts", 2],
      ["git -C ../other reset --hard HEAD~1", 2],
      ["cd ../other && git commit --amend -qm 'Say hello to the table'", 2],
      ["echo 'git reset --hard HEAD~2'", 2],
    ] as const
  ) assert.equal(left(one, second, { run, output: "" }), count, run);
  assert.equal(left({ ...one, run: `${one.run} && git reset --hard HEAD~1` }), 0);
});

Deno.test("commits elsewhere are not this project's", () => {
  const made = commit("Wait until the scale has settled", body);
  assert.ok("run" in made);
  const start: Step[] = [{ user: "The scale of the packing table is wrong" }, {
    edit: "src/scale.ts",
  }];
  const titles = (run: string): number =>
    distilSession(
      "S-made",
      madeSession([...start, { ...made, run }]).map((row) => ({
        ...row,
        project: "/home/ann/shop",
      })),
    ).filter(({ type }) => type === "decision").length;
  for (const to of ["app", "/home/ann/shop", "/home/ann/shop/app", "."]) {
    assert.equal(titles(`cd ${to} && ${made.run}`), 1, to);
    assert.equal(titles(made.run.replace("git commit", `git -C ${to} commit`)), 1, to);
  }
  for (const to of ["../other", "/home/ann/shop2", "~/x", "$OTHER", "-"]) {
    assert.equal(titles(`cd ${to} && ${made.run}`), 0, to);
    assert.equal(titles(made.run.replace("git commit", `git -C ${to} commit`)), 0, to);
  }
});

Deno.test("an amended commit and one that is made again are told once, as they are last", () => {
  const first = commit("Wait until the scale settles", body);
  const amended: Step = {
    run:
      `git commit --amend -m "Wait until the scale has settled" -m 'It must be stable so that nothing is weighed twice. ${
        "More words. ".repeat(30)
      }'`,
    output: "[main 2b3c4d5] Wait until the scale has settled",
  };
  assert.deepEqual(derive([first, amended]).map(({ title }) => title), [
    "Wait until the scale has settled",
  ]);
  const again = derive([first, first]);
  assert.equal(again.length, 1);
  assert.equal(again[0].refs[0], "S-made-6");
});

Deno.test("commits that tell nothing of the code make no record", () => {
  const subjects = [
    "wip: the scale and its new driver",
    "Fix typo in the scale driver",
    "chore: bump the scale driver to 3.1.0",
    "Merge branch 'main' into scale",
    "style: format the scale driver",
    "Release 3.2.0 of the scale driver",
    "docs: describe the scale of the table",
    "Address review feedback",
    "Scale",
  ];
  for (const subject of subjects) assert.deepEqual(derive([commit(subject)]), [], subject);
});

Deno.test("a commit with a short explanation is a candidate, and so is one that only answers a review", () => {
  assert.deepEqual(derive([commit("Wait until the scale has settled", "It must be stable.")]), []);
  for (
    const subject of [
      "fix: address PR review feedback on the scale",
      "fix(14): address remaining reviewer's review findings",
      "fix: address 6 security findings (H-01, H-06)",
    ]
  ) assert.deepEqual(derive([commit(subject, body)]), [], subject);
});

Deno.test("a revert of another session's commit is a record that can end that one's", () => {
  const records = distilSession(
    "S-made",
    madeSession([{ user: "Take the change of the scale back" }, {
      run: "git revert --no-edit 1a2b3c4",
      output: '[main 2b3c4d5] Revert "Wait until the scale has settled"',
    }]),
  );
  assert.deepEqual(
    records.filter(({ type }) => type === "decision").map(({ text }) => text),
    ['Revert "Wait until the scale has settled"'],
  );
});

Deno.test("a commit about tests, names or looks is a candidate", () => {
  for (
    const subject of [
      "Add slow tests for the scale driver",
      "Rename Scale to PackingScale",
      "Update the wording of the packing table",
    ]
  ) assert.deepEqual(derive([commit(subject, body)]), [], subject);
});

Deno.test("a short message is told where it says what something else expects", () => {
  const subject = "Send the weight below its unit";
  assert.equal(derive([commit(subject, "The scale expects grams, not kilograms.")]).length, 1);
  assert.deepEqual(derive([commit(subject, "The page now shows grams when it loads.")]), []);
});

Deno.test("a fix is told where it says what something else expects, and a short message where it names what it replaces", () => {
  const fix = "fix: send the weight below its unit";
  const [made, ...more] = derive([commit(fix, "The scale expects grams, not kilograms.")]);
  assert.deepEqual([made.type, recordOf(made)?.narrow, more], ["fix", true, []]);
  assert.deepEqual(derive([commit(fix, "The scale showed kilograms because of a typo.")]), []);
  const queue = "Keep the labels in a queue of their own";
  assert.equal(derive([commit(queue, "Replace the timer with a queue per table.")]).length, 1);
  assert.deepEqual(derive([commit(queue, "Labels are now in a queue per table.")]), []);
});

Deno.test("what must hold is told alone where there is no room for the subject; another reason is not", () => {
  const subject = `Send the weight below its unit ${"and its table ".repeat(5)}to the printer`;
  const expects = "The scale expects grams, not kilograms, and answers startScale with nothing " +
    "at all when it gets a number with a comma in it instead of a point, whatever its unit is.";
  assert.deepEqual(derive([commit(subject, expects)]).map(({ text }) => text), [expects]);
  const caused = `${expects.replace("expects", "wants")}\n${body}`;
  assert.deepEqual(derive([commit(subject, caused)]), []);
});

Deno.test("the messages of commits are read in the forms in which agents write them", () => {
  const read = (command: string) =>
    gitCommands(toShellCommands(command), undefined).flatMap(({ message }) => message ?? []);
  assert.deepEqual(read(`git commit -am 'One' -m "Two \\"quoted\\""`), [`One\n\nTwo "quoted"`]);
  assert.deepEqual(read(`git -C sub commit --message="One"`), ["One"]);
  assert.deepEqual(read("git commit -F - <<'END'\nOne\n\nTwo\nEND"), ["One\n\nTwo"]);
  assert.deepEqual(read("cat > /tmp/m <<EOF\nOne\nEOF\ngit commit -F /tmp/m"), ["One"]);
  assert.deepEqual(read(`git commit -m "One" && git commit --amend -m "Two"`), ["One", "Two"]);
  assert.deepEqual(read("git commit --amend --no-edit"), []);
  assert.deepEqual(read('git commit -m "$MESSAGE"'), []);
  assert.deepEqual(read("git log --grep commit -m"), []);
});
