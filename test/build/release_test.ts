// What a release is made of: the workflow names real targets and tasks; the bill of materials names
// what is shipped and nothing else.

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { makeSbom, toComponent } from "../../build/sbom.ts";
import { makeServerJson } from "../../build/server_json.ts";
import { targets } from "../../build/target.ts";
import { repository } from "../support/repository.ts";

Deno.test("the release workflow builds every target with tasks that exist", async () => {
  const text = await Deno.readTextFile(`${repository}/.github/workflows/release.yml`);
  const built = [...text.matchAll(/target: ([\w-]+), runner/g)].map((match) => match[1]);
  assert.deepEqual(built, targets.map((target) => target.name));
  const tasks = new Set([...text.matchAll(/deno task ([\w-]+)/g)].map((match) => match[1]));
  assert.deepEqual([...tasks].filter((task) => !Object.hasOwn(manifest.tasks, task)), []);
  for (const needed of ["compile", "smoke", "sbom", "checksums", "npm", "packages"]) {
    assert.ok(tasks.has(needed), needed);
  }
  assert.match(text, /deno-version: "2\.9\.5"/);
});

Deno.test("a release has the form that the suite tests, but where that cannot start", async () => {
  const text = await Deno.readTextFile(`${repository}/.github/workflows/release.yml`);
  const forms = [...text.matchAll(/target: ([\w-]+), runner: [\w.-]+, form: ([\w-]+) }/g)];
  assert.deepEqual(
    forms.map(([, target, form]) => [target, form]),
    targets.map(({ name, os }) => [name, os === "windows" ? "compiled" : "self-extracting"]),
  );
  const steps = ["--form ${{ matrix.form }}", "deno task smoke dist", "actions/upload-artifact@"];
  const places = steps.map((step) => text.indexOf(step));
  assert.ok(places[0] > 0 && places[0] < places[1] && places[1] < places[2], `${places}`);
});

Deno.test("every action of the workflows is pinned to a commit, with its version beside it", () => {
  const directory = `${repository}/.github/workflows`;
  const uses = [...Deno.readDirSync(directory)].flatMap(({ name }) =>
    [...Deno.readTextFileSync(`${directory}/${name}`).matchAll(/^.*\buses:.*$/gm)]
      .map(([line]) => line.trim())
  );
  assert.ok(uses.length >= 8, `${uses.length}`);
  const pinned = /^- uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  assert.deepEqual(uses.filter((line) => !pinned.test(line)), []);
});

Deno.test("the bill of materials holds what is shipped, with checksums", async () => {
  const sbom = await makeSbom() as {
    bomFormat: string;
    components: ReturnType<typeof toComponent>[];
  };
  assert.equal(sbom.bomFormat, "CycloneDX");
  const names = sbom.components.map((component) => component.name);
  assert.ok(names.includes("deno") && names.includes("zod"), names.join(" "));
  assert.ok(!names.includes("fast-check"));
  for (const component of sbom.components) {
    if (component.type === "library") assert.match(component.hashes![0].content, /^[0-9a-f]{128}$/);
  }
});

Deno.test("toComponent() reads scoped names and peers", () => {
  const { name, version, purl } = toComponent("@scope/name@1.2.3_zod@4.0.0");
  assert.deepEqual([name, version, purl], ["@scope/name", "1.2.3", "pkg:npm/%40scope/name@1.2.3"]);
});

Deno.test("the entry for the MCP registry starts this version of the npm package as a server", () => {
  const { name, description, version, packages } = makeServerJson();
  assert.match(String(name), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(String(description).length <= 100);
  assert.equal(version, manifest.version);
  assert.deepEqual(packages, [{
    registryType: "npm",
    identifier: manifest.name,
    version: manifest.version,
    runtimeHint: "npx",
    transport: { type: "stdio" },
    packageArguments: [{ type: "positional", value: "mcp" }],
  }]);
});
