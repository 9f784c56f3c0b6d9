// The checks of rule files, each on lines that people write: what is reported and what is not.

import assert from "node:assert/strict";
import { auditFiles } from "../../src/audit/audit_files.ts";
import { tempRepository } from "../support/temp_repository.ts";
import { realPath } from "../../src/core/platform_path.ts";

/** What an audit of some files says, as `file:line kind`. */
async function audit(
  files: Record<string, string>,
  options: {
    projects?: string[];
    home?: Record<string, string>;
    /** What is not proven, too. */
    all?: true;
  } = {},
): Promise<string[]> {
  const root = realPath(await Deno.makeTempDir());
  const write = (base: string, some: Record<string, string>): void => {
    for (const [path, text] of Object.entries(some)) {
      Deno.mkdirSync(`${base}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${base}/${path}`, text);
    }
  };
  const [workspace, home] = [`${root}/work/shop`, `${root}/home`];
  Deno.mkdirSync(workspace, { recursive: true });
  Deno.mkdirSync(home);
  write(workspace, files);
  const slug = workspace.replace(/[^A-Za-z0-9]/g, "-");
  write(
    home,
    Object.fromEntries(
      Object.entries(options.home ?? {}).map(([path, text]) => [path.replace("SLUG", slug), text]),
    ),
  );
  const { findings } = await auditFiles({ workspace, home, projects: options.projects });
  await Deno.remove(root, { recursive: true });
  return findings.filter(({ isUnsure }) => options.all || !isUnsure)
    .map(({ file, line, kind }) => `${file.replace(slug, "SLUG")}:${line} ${kind}`);
}

const list = (...lines: string[]): string => lines.map((line) => `- ${line}\n`).join("");

const opposed: [string, string][] = [
  ["Use pnpm to install packages, never npm.", "Install packages with npm."],
  ["Never commit directly to main.", "Commit directly to main for small fixes."],
  ["Use single quotes in TypeScript.", "Always use double quotes in TypeScript."],
  ["Indent with tabs.", "Indent with two spaces, do not use tabs."],
  ["Prefer default exports.", "Avoid default exports."],
  ["**Never** store derived data.", "Store derived data."],
];
for (const [one, other] of opposed) {
  Deno.test(`"${one}" and "${other}" contradict each other`, async () => {
    assert.deepEqual(await audit({ "CLAUDE.md": list(one, other) }), ["CLAUDE.md:2 contradiction"]);
    assert.deepEqual(await audit({ "CLAUDE.md": list(other, one) }), ["CLAUDE.md:2 contradiction"]);
  });
}

const together: [string, string][] = [
  ["Use single quotes for scripts.", "Use double quotes for attributes."],
  ["Do not write integration tests in the tests/ directory.", "Write integration tests."],
  ["Use npm for the website.", "The API server was moved to pnpm last year."],
  ["Avoid global state.", "State is kept in one global store."],
  ["Run the tests before a commit.", "Don't run the tests of other packages."],
];
for (const [one, other] of together) {
  Deno.test(`"${one}" and "${other}" can both be kept`, async () => {
    assert.deepEqual(await audit({ "CLAUDE.md": list(one, other) }), []);
  });
}

Deno.test("rules for two languages can both be kept, those for one cannot", async () => {
  const rules = (one: string, other: string): Promise<string[]> =>
    audit({
      "CLAUDE.md": `## ${one}\n- Use double quotes.\n\n## ${other}\n- Use single quotes.\n`,
    });
  assert.deepEqual(await rules("HTML", "JavaScript"), []);
  assert.deepEqual(await rules("Style", "Text"), ["CLAUDE.md:5 contradiction"]);
});

Deno.test("what one agent never reads with the other is not repeated", async () => {
  const rule = list("Ask before you delete the data of a customer.");
  assert.deepEqual(await audit({ "CLAUDE.md": rule, "AGENTS.md": rule }, { all: true }), []);
  const home = { ".claude/CLAUDE.md": rule };
  assert.deepEqual(
    await audit({ "CLAUDE.md": rule }, { home }),
    [],
    "may be a summary of the other",
  );
  assert.deepEqual(await audit({ "CLAUDE.md": rule }, { home, all: true }), [
    "~/.claude/CLAUDE.md:1 duplicate",
  ]);
});

Deno.test("rules that differ in a number or a name are two rules", async () => {
  const lines = list(
    "Start the worker of the queue on port 3000 first.",
    "Start the worker of the queue on port 3001 first.",
    "Put helpers for dates into `lib/dates.ts` of the package.",
    "Put helpers for dates into `lib/times.ts` of the package.",
  );
  assert.deepEqual(await audit({ "CLAUDE.md": lines }), []);
});

Deno.test("only paths of this project that should be there are missing", async () => {
  const lines = list(
    "Read `docs/gone.md` first.",
    "See [the guide](docs/guide.md) and `docs/guide.md:12`.",
    "Reports are written to `docs/report.md`.",
    "Create `docs/plan.md` for each feature.",
    "Import from `react-dom/client.js` and `@scope/name/x.js`.",
    "Pages are `src/[slug]/page.tsx`, tests `src/*.test.ts`.",
    "Local settings are in `src/secrets.json`.",
  );
  assert.deepEqual(
    await audit({
      "CLAUDE.md": lines,
      "docs/guide.md": "",
      "src/a.ts": "",
      ".gitignore": "secrets.json\n",
    }),
    ["CLAUDE.md:1 path"],
  );
});

Deno.test("scripts are looked up in the manifests of all packages", async () => {
  const text = "```bash\nnpm run build\nnpm run lint -- --fix\ndeno task gone\nmake deploy\n```\n" +
    list(
      "Use `pnpm --filter web run dev` or `npm run build:*`; `make clean`.",
      "Or `make run-all` in a part with the generated `Makefile`.",
    );
  assert.deepEqual(
    await audit({
      "CLAUDE.md": text,
      "package.json": '{"scripts":{"build":"x"}}',
      "web/package.json": '{"scripts":{"dev":"x"}}',
      "deno.jsonc": '{ // tasks\n "tasks": { "check": "deno check" } }',
      "Makefile": "clean:\n\trm -r out\n",
    }),
    ["CLAUDE.md:3 script", "CLAUDE.md:4 script", "CLAUDE.md:5 script"],
  );
});

Deno.test("lines beyond what Claude Code and Codex read are found", async () => {
  const lines = Array.from({ length: 230 }, (_, at) => `Entry ${at} ends.`);
  const long = Array.from({ length: 700 }, (_, at) => `Part ${at} ${"of ".repeat(18)}${at * 7}`);
  assert.deepEqual(
    await audit({ "CLAUDE.md": list(...lines), "AGENTS.md": list(...long) }, {
      home: { ".claude/projects/SLUG/memory/MEMORY.md": list(...lines) },
    }),
    ["AGENTS.md:472 cut", "~/.claude/projects/SLUG/memory/MEMORY.md:201 cut"],
  );
});

Deno.test("rules of another project are those that nothing here has to do with", async () => {
  const lines = list(
    "When you work on billing-core, start its server first.",
    "Look at /Users/sam/code/ledger/src for the helpers.",
    "Paths such as /home/user/project/src are examples.",
    "The shop talks to parcel-api over HTTP.",
    "The till was previously named till-two; do not bring the name back.",
  );
  assert.deepEqual(
    await audit({ "CLAUDE.md": lines, "README.md": "Needs parcel-api." }, {
      projects: ["billing-core", "parcel-api", "shop-old", "till-two"],
      all: true,
    }),
    ["CLAUDE.md:1 project", "CLAUDE.md:2 project"],
  );
});

Deno.test("values that only work on a developer's machine are no secrets, real ones are", async () => {
  const lines = list(
    "Start with `CHECKOUT_SECRET=local-dev-value-not-real-7f3`.",
    "Check with `postgresql://shop:blue_river_7@localhost:5432/shop`.",
    "**Test accounts:** `owner@shop.local`, password `plum42`",
    "Pass `-SNQX90417365` to the scanner when several are connected.",
    "The database has the password `blue7river`.",
    "Build with `dotnet build app.csproj -p:Platform=x64`.",
    "The admin page has the password `kX9vQ2mL7pR4tZ8w`.",
    'Log in with {"email":"sam@example.com","password":"BlueRiver123!"}.',
    'The tests set encryption_key="dGhlIHRlc3RzIHVzZSB0aGlz" for all.',
  );
  assert.deepEqual(await audit({ "CLAUDE.md": lines }), ["CLAUDE.md:7 secret"]);
  const others = await audit({ "CLAUDE.md": lines }, { all: true });
  assert.ok(others.includes("CLAUDE.md:5 secret"), "to look at");
});

const journal = "Orders are written to the journal before the queue gets them.";
const twoOfAKind: [string, string][] = [
  ["## Fast queue\n\n", "## Slow queue\n\n"],
  ["**Fast queue** (default)\n", "**Slow queue** (slow)\n"],
  ["### 1. Region 1 report\nContains:\n", "### 2. Region 2 report\nContains:\n"],
  ["## Backend\n\n", "## Frontend\n\n"],
];
for (const [one, other] of twoOfAKind) {
  Deno.test(`lists below ${JSON.stringify(one)} and ${JSON.stringify(other)} may repeat a line`, async () => {
    const text = `# Shop\n\n${one}${list(journal)}\n${other}${list(journal)}`;
    assert.deepEqual(await audit({ "CLAUDE.md": text }), []);
  });
}

Deno.test("a line under headings that are not alike is said twice", async () => {
  const text = `# Shop\n\n## Hooks\n\n${list(journal)}\n## Notes\n\n${list(journal)}`;
  assert.deepEqual(await audit({ "CLAUDE.md": text }), ["CLAUDE.md:9 duplicate"]);
});

Deno.test("two procedures may have the same step, a copy of a procedure may not", async () => {
  const steps = "1. Compare all totals with the tables of the tax office\n";
  assert.deepEqual(
    await audit({ "CLAUDE.md": `## Next year\n\n${steps}\n## Updating rates\n\n${steps}` }),
    [],
  );
  assert.deepEqual(
    await audit({ "CLAUDE.md": `## Landing\n\n${steps}\n# More\n\n## Landing\n\n${steps}` }),
    ["CLAUDE.md:9 duplicate"],
  );
  const more =
    "1. Compare all monthly totals with the printed tables\n2. Send the report to the tax office\n";
  assert.deepEqual(
    await audit({ "CLAUDE.md": `## End of year\n\n${more}\n## Closing (end of year)\n\n${more}` }),
    ["CLAUDE.md:8 duplicate", "CLAUDE.md:9 duplicate"],
  );
  assert.deepEqual(
    await audit({ "CLAUDE.md": `## Search mode\n\n${more}\n## Browse mode\n\n${more}` }),
    [],
  );
});

const nearby: [string, string][] = [
  [
    "- Order listeners of the shop: `src/orders/`",
    "2. Create order listener of the shop in `src/orders/`",
  ],
  ["- `ShopOrder()` not `ShopOrdCreate()`", "- `ShopOrdCreate()` → `ShopOrder()`"],
  [
    "- Load tests use Gatling + Vegeta against copied orders",
    "- **Tests**: Go with Vegeta + Gatling (load against copied orders)",
  ],
];
for (const [one, other] of nearby) {
  Deno.test(`"${one}" and "${other}" are about different things`, async () => {
    assert.deepEqual(await audit({ "CLAUDE.md": `${one}\n\n## More\n\n${other}\n` }), []);
  });
}

Deno.test("paths of a linked page and names that stand for any name are not missing", async () => {
  const lines = list(
    "The policy is in [`docs/HOW.md`](https://github.com/shop/tests/blob/main/docs/HOW.md).",
    "The policy is in [`docs/GONE.md`](docs/GONE.md).",
    "Shared types: `src/types.ts` or `src/specificPart.ts`",
  );
  assert.deepEqual(
    await audit({ "CLAUDE.md": lines, "docs/guide.md": "", "src/types.ts": "" }, { all: true }),
    ["CLAUDE.md:2 path"],
  );
});

Deno.test("paths of another source tree, or not there yet, are not missing", async () => {
  const text = "Paths within the Ledger source tree that matter here:\n\n" +
    list("`src/book.c` has the accounts") + "\n## Here\n\n" +
    list(
      "No `docs/adr/` yet.",
      "`docs/specs/` is reserved for specifications.",
      "Colours are migrating to `src/colours.ts`.",
      "See `docs/bugs.md` after the first run of the keeper.",
      "There is no `src/till.ts`; the till is in `src/a.ts`.",
      "Do not reintroduce `src/queue.ts`.",
      "Read `src/gone.ts` first.",
    );
  assert.deepEqual(
    await audit({ "CLAUDE.md": text, "docs/guide.md": "", "src/a.ts": "" }),
    ["CLAUDE.md:13 path"],
  );
});

Deno.test("words about something else do not excuse a path that is gone", async () => {
  const lines = list(
    "There is no CI here: read `src/check.ts` before you push.",
    "There are no exceptions: read `src/rules.ts`.",
    "After the first clone read `src/first.ts`.",
    "Read `src/users.ts`: retired users are handled there.",
  );
  assert.deepEqual(
    await audit({ "CLAUDE.md": lines, "src/a.ts": "" }),
    [1, 2, 3, 4].map((line) => `CLAUDE.md:${line} path`),
  );
});

Deno.test("a path that its line limits to one workspace is no rule of another project", async () => {
  const lines = list(
    "On this build machine, the old shop is checked out at `/home/lee/projects/ledger`.",
    "The helpers are in `/home/lee/projects/ledger`.",
  );
  assert.deepEqual(await audit({ "CLAUDE.md": lines }, { all: true }), ["CLAUDE.md:2 project"]);
});

Deno.test("a private key of several lines is one secret", async () => {
  const body = Array.from(
    { length: 4 },
    (_, i) => `MIIEowIBAAKCAQEA${i}hJ7kQ2vX9pL4mN8rT6wZ1yB3cD5fG`,
  );
  const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"];
  const text = ["Sign with:", "", "```", ...key, "```", ""].join("\n");
  assert.deepEqual(await audit({ "CLAUDE.md": text }), ["CLAUDE.md:4 secret"]);
});

Deno.test("a path that git had, or that is to be read, is missing; another is only to look at", async () => {
  await using repository = await tempRepository();
  await repository.commit("first", { "src/old.ts": "1", "src/main.ts": "1" });
  await repository.git("rm", "-q", "src/old.ts");
  await repository.commit("without");
  const lines = list("Prices come from `src/old.ts`.", "The cart is in `src/cart.ts`.");
  Deno.writeTextFileSync(`${repository.path}/CLAUDE.md`, lines);
  const { findings } = await auditFiles({ workspace: repository.path });
  assert.deepEqual(findings.map(({ line, isUnsure }) => [line, isUnsure]), [[1, false], [2, true]]);
  assert.match(findings[0].evidence, /^src\/old\.ts does not exist; git had it on \d{4}-/);
});

Deno.test("what belongs to a section by its label is not said twice", async () => {
  const section = (name: string): string =>
    `## ${name}\n\n- **Access**: admins and shop managers only\n\n`;
  assert.deepEqual(await audit({ "CLAUDE.md": section("Studio") + section("Posts") }), []);
});

Deno.test("a rule with lines that belong to it is not taken out, also after an empty line", async () => {
  const rule = "- Run every migration on a copy of the database first.\n";
  const root = realPath(await Deno.makeTempDir());
  for (
    const below of [
      "\n  Ask Mia for the copy.\n",
      "\n  - Ask Mia for it.\n",
      "\n  ```sh\n  x\n  ```\n",
    ]
  ) {
    Deno.writeTextFileSync(`${root}/CLAUDE.md`, `${rule}\n## Later\n\n${rule}${below}`);
    const { findings } = await auditFiles({ workspace: root });
    assert.deepEqual(findings.map(({ line, edit }) => [line, edit]), [[5, undefined]], below);
  }
  await Deno.remove(root, { recursive: true });
});

Deno.test("parts of two items, points of a checklist and other options are only to look at", async () => {
  const part = "Set the connection in `compose.yml` for the containers of the shop";
  for (
    const text of [
      `- One:\n  - ${part}\n- Two:\n  - ${part}\n`,
      `- ${part}\n\n## Later\n\n- [ ] ${part}\n`,
      "- Run `shop list of all orders --compiled` here\n- Run `shop list of all orders --enabled` here\n",
    ]
  ) assert.deepEqual(await audit({ "CLAUDE.md": text }), []);
});
