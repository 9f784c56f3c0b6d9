// A generated project with a planted truth for the suggest bench: features of four files each, hubs
// that everything imports, files that stand alone, two months of commits, decisions, documents and a
// test report. The same every time.

import { seededRandom } from "../support/seeded_random.ts";

/** A file of the project and what belongs to the same feature. */
export interface PlannedFile {
  path: string;
  text: string;
  feature?: number;
}

/** A commit of the generated history; days before now. */
export interface PlannedCommit {
  daysAgo: number;
  subject: string;
  files: string[];
}

/** A row of the store and the files it is truly about. */
export interface PlannedEntry {
  row: Record<string, unknown>;
  about: string[];
}

/** The whole project. */
export interface PlannedProject {
  files: PlannedFile[];
  commits: PlannedCommit[];
  entries: PlannedEntry[];
  report: string;
  /** Failing tests by name, with the files they are about. */
  failures: Map<string, string[]>;
  /** Deprecated symbols by entity, with the files that use them. */
  deprecated: Map<string, string[]>;
}

const features = [
  ["billing", "invoice", "Invoices are numbered per tenant and never reused"],
  ["auth", "token", "Refresh tokens are rotated on every use of the auth endpoint"],
  ["mail", "queue", "The mail queue retries for two days and then parks the message"],
  ["upload", "storage", "Uploads go to object storage first and are scanned afterwards"],
  ["report", "export", "A report export streams rows, it never builds the sheet in memory"],
  ["cart", "checkout", "Checkout locks the cart for ten minutes"],
  ["profile", "avatar", "An avatar of a profile is resized once, on upload"],
  ["alert", "push", "Push alerts are grouped per device and hour"],
  ["audit", "trail", "The audit trail is append-only and signed daily"],
  ["catalog", "price", "A price in the catalog is an integer of cents with a currency"],
  ["session", "cookie", "The session cookie is httpOnly and bound to the device"],
  ["shipping", "label", "A shipping label is bought only after the address was verified"],
] as const;

const distractors = [
  "We decided to hold the retrospective on Thursdays",
  "Licences of dependencies are reviewed each quarter",
  "The staging cluster moves to the new region in March",
  "Releases are cut from main on Tuesdays, never on Fridays",
  "New laptops get disk encryption before anything else",
  "The style guide asks for British spelling in documents",
  "Pull requests need one review, schema changes need two",
  "Flaky checks are quarantined within a day and repaired within a week",
  "The data team owns the warehouse; services never write to it",
  "Secrets live in the vault and are leased for an hour",
  "On-call hands over at noon with a written note",
  "Colours come from the palette; no service invents its own",
];

/** Plans the project. */
export function planProject(): PlannedProject {
  const random = seededRandom(7);
  const files: PlannedFile[] = [
    { path: "src/core/logger.ts", text: hubText("logLine") },
    { path: "src/core/settings.ts", text: hubText("readSetting") },
    {
      path: "src/vendor/base64.ts",
      text: "export function encodeBase64(x: string): string {\n  return btoa(x);\n}\n",
    },
    {
      path: "src/vendor/leftpad.ts",
      text: "export function leftPad(x: string): string {\n  return x;\n}\n",
    },
    { path: "scripts/release.ts", text: "function cutRelease(): void {}\ncutRelease();\n" },
    { path: "scripts/rename_branch.py", text: "def rename():\n    pass\n" },
    { path: "assets/logo.svg", text: "<svg/>\n" },
    { path: "LICENSE", text: "MIT\n" },
    { path: "robots.txt", text: "User-agent: *\n" },
    { path: "src/generated/build_info.ts", text: "export const buildNumber = 1;\n" },
    { path: "src/playground/sketch.ts", text: "const scribble = 1;\n" },
    { path: "tools/lint_names.go", text: "package tools\n\nfunc LintNames() {}\n" },
  ];
  features.forEach(([area, noun], i) => files.push(...featureFiles(area, noun, i)));
  const project: PlannedProject = {
    files,
    commits: planCommits(files, random),
    entries: planEntries(),
    report: "",
    failures: new Map(),
    deprecated: new Map(),
  };
  planWarnings(project);
  return project;
}

/** The files of a feature. */
export function pathsOf(
  feature: number,
): { service: string; store: string; routes: string; test: string } {
  const [area, noun] = features[feature];
  return {
    service: `src/${area}/${noun}_service.ts`,
    store: `src/${area}/${noun}_store.ts`,
    routes: `src/${area}/${noun}_routes.ts`,
    test: `test/${area}/${noun}_service_test.ts`,
  };
}

/** How many features there are. */
export const featureCount: number = features.length;

/** The main function of a feature's service. */
export function symbolOf(feature: number): string {
  return `process${upper(features[feature][1])}`;
}

function featureFiles(area: string, noun: string, feature: number): PlannedFile[] {
  const paths = pathsOf(feature);
  const name = upper(noun);
  const old = feature % 4 === 0;
  const store = `${
    old ? "/** @deprecated use save" + name + " */\n" : ""
  }export function keep${name}(id: string): string {\n  return id;\n}\nexport function save${name}(id: string): string {\n  return id;\n}\n`;
  return [
    {
      path: paths.store,
      feature,
      text: `import { readSetting } from "../core/settings.ts";\nreadSetting();\n${store}`,
    },
    {
      path: paths.service,
      feature,
      text:
        `import { logLine } from "../core/logger.ts";\nimport { keep${name} } from "./${noun}_store.ts";\n/** Handles ${area}. */\nexport function process${name}(id: string): string {\n  logLine();\n  return keep${name}(id);\n}\n`,
    },
    {
      path: paths.routes,
      feature,
      text:
        `import { logLine } from "../core/logger.ts";\nimport { process${name} } from "./${noun}_service.ts";\nexport function route${name}(): void {\n  logLine();\n  process${name}("1");\n}\n`,
    },
    {
      path: paths.test,
      feature,
      text:
        `import { process${name} } from "../../src/${area}/${noun}_service.ts";\nDeno.test("${area}", () => {\n  process${name}("1");\n});\n`,
    },
  ];
}

function hubText(name: string): string {
  return `export function ${name}(): void {}\n`;
}

function planCommits(files: PlannedFile[], random: () => number): PlannedCommit[] {
  const commits: PlannedCommit[] = [
    { daysAgo: 60, subject: "Start", files: files.map((file) => file.path) },
  ];
  for (let n = 0; n < 170; n++) {
    const daysAgo = 59 - n * 0.3;
    const feature = Math.floor(random() * featureCount);
    const { service, store, routes, test } = pathsOf(feature);
    const dice = random();
    if (dice < 0.06) {
      const swept = files.filter(() => random() < 0.8).map((file) => file.path);
      commits.push({ daysAgo, subject: "Format everything", files: swept });
    } else if (dice < 0.14) {
      const hub = random() < 0.5 ? "src/core/logger.ts" : "src/core/settings.ts";
      commits.push({ daysAgo, subject: "Tune the core", files: [hub] });
    } else if (dice < 0.2) {
      const lone = [
        "scripts/release.ts",
        "robots.txt",
        "tools/lint_names.go",
        "src/vendor/base64.ts",
      ];
      commits.push({ daysAgo, subject: "Small repair", files: [lone[n % 4]] });
    } else {
      const touched = [service];
      if (random() < 0.6) touched.push(store);
      if (random() < 0.5) touched.push(routes);
      if (random() < 0.6) touched.push(test);
      // Tangled: one file of another feature comes along.
      if (random() < 0.12) touched.push(pathsOf((feature + 5) % featureCount).store);
      commits.push({ daysAgo, subject: `Work on ${features[feature][1]}`, files: touched });
    }
  }
  for (const feature of [0, 3, 6, 9]) {
    const subject = `Repair the ${features[feature][1]} store`;
    commits.push({ daysAgo: 2, subject, files: [pathsOf(feature).store] });
  }
  return commits;
}

function planEntries(): PlannedEntry[] {
  const entries: PlannedEntry[] = [];
  const add = (row: Record<string, unknown>, about: string[]): void => {
    const id = `H-e${entries.length}`;
    entries.push({ row: { id, ts: "2026-01-01T00:00:00.000Z", role: "note", ...row }, about });
  };
  features.forEach(([area, noun, topic], feature) => {
    const { service, store, routes, test } = pathsOf(feature);
    const all = [service, store, routes, test];
    add({ type: "decision", text: topic }, all);
    if (feature % 3 === 0) {
      add({ type: "decision", text: `Keep writes in one place`, files: [store] }, [store]);
    } else if (feature % 3 === 1) {
      const text = `${symbolOf(feature)} stays free of network calls`;
      add({ type: "decision", text }, [service]);
    } else {
      const text = `Talked it over: let's go with plain functions in ${noun}_routes.ts for now.`;
      add({ type: "turn", role: "user", text }, [routes]);
    }
    if (feature % 2 === 0) {
      const text = `## ${area}\n\nCall \`${symbolOf(feature)}\` from a route, never from a store.`;
      add({ type: "doc", title: `Guide to ${area}`, text }, [service, routes]);
    }
    if (feature % 4 === 1) {
      const old = `H-e${entries.length}`;
      add({ type: "decision", text: `${symbolOf(feature)} calls the partner directly` }, []);
      add({
        type: "decision",
        text: `No direct partner calls in ${noun}_service.ts`,
        supersedes: old,
      }, [service]);
    }
  });
  for (const text of distractors) add({ type: "decision", text }, []);
  return entries;
}

function planWarnings(project: PlannedProject): void {
  const cases: string[] = [];
  for (const feature of [2, 7]) {
    const { service, test } = pathsOf(feature);
    const name = `keeps ${features[feature][1]} whole`;
    project.failures.set(name, [service, test]);
    cases.push(
      `<testcase name="${name}" file="${test}"><failure message="expected 1">at ${test}:3</failure></testcase>`,
    );
  }
  project.report = `<testsuites><testsuite>${
    cases.join("")
  }<testcase name="fine" file="test/x.ts"/></testsuite></testsuites>`;
  for (let feature = 0; feature < featureCount; feature += 4) {
    const { store, service } = pathsOf(feature);
    project.deprecated.set(`code:${store}#keep${upper(features[feature][1])}`, [service]);
  }
}

function upper(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
