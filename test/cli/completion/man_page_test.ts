// The man page: every command and exit status is in it, and man renders it without complaint.

import assert from "node:assert/strict";
import { usageOf } from "../../../src/cli/line/doors.ts";
import { loadForms } from "../../../src/cli/task_list.ts";
import { errorKinds } from "../../../src/core/errors.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { repository } from "../../support/repository.ts";
import { runCtx } from "../../support/processes/run_ctx.ts";

Deno.test({
  name: "the man page renders with man -l and names every command",
  ignore: isMissing("man"),
  async fn() {
    const { success, stdout, stderr } = await new Deno.Command("man", {
      args: ["--warnings", "-P", "cat", "-l", `${repository}/docs/ctx.1`],
      env: { MANWIDTH: "200", LC_ALL: "C.UTF-8", MAN_KEEP_FORMATTING: "" },
    }).output();
    const complaint = new TextDecoder().decode(stderr);
    assert.ok(success, complaint);
    assert.equal(complaint, "");
    // deno-lint-ignore no-control-regex
    const text = new TextDecoder().decode(stdout).replace(/.\x08/g, "");
    for (const command of await loadForms()) {
      assert.ok(
        text.includes(`\n   ctx ${usageOf(command).replaceAll("…", "...")}\n`),
        command.name,
      );
    }
    for (const { exit } of Object.values(errorKinds)) {
      assert.match(text, new RegExp(`^       ${exit} `, "m"));
    }
  },
});

Deno.test("ctx completions man prints that page", async () => {
  const { code, stdout } = await runCtx(["completions", "man"], { cwd: repository });
  assert.equal(code, 0);
  assert.equal(stdout, await Deno.readTextFile(`${repository}/docs/ctx.1`));
});
