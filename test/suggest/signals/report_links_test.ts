// Reports are read from the workspace only: a clone may ship links that lead anywhere.

import assert from "node:assert/strict";
import { findFailures } from "../../../src/suggest/signals/find_reports.ts";

Deno.test("a test report that is a link out of the workspace is not read", async () => {
  const root = await Deno.makeTempDir({ prefix: "ctx-reports-" });
  try {
    const workspace = `${root}/project`;
    await Deno.mkdir(workspace);
    const report =
      '<testsuite name="s"><testcase classname="src/x.ts" name="outside" file="src/x.ts"><failure message="no">b</failure></testcase></testsuite>';
    await Deno.writeTextFile(`${root}/junit.xml`, report);
    await Deno.writeTextFile(`${workspace}/report.xml`, report.replace("outside", "inside"));
    await Deno.symlink(`${root}/junit.xml`, `${workspace}/junit.xml`);
    const options = { reports: [], now: Date.now(), days: 7 };
    const names = (await findFailures(workspace, options)).map(({ name }) => name);
    assert.deepEqual(names, ["inside"]);
    await assert.rejects(
      findFailures(workspace, { ...options, reports: ["junit.xml"] }),
      /Cannot read the report/,
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
