// `deno task bench audit --data DIR`: rule files of real projects, a checkout each below DIR/clean, with
// rot put into half of them (`seed_rot.ts`) in a copy. Says how much of the rot the checks find, what
// else they report, and whether a fix and its undo leave every byte. What else is reported has to be
// read by a person: the list goes to DIR/findings.json, and DIR/judged.json (`{ "key": true }`) is read.

import { auditFiles } from "../../src/audit/audit_files.ts";
import type { Finding } from "../../src/audit/finding.ts";
import { applyFixes, findKept, planFixes, undoFix } from "../../src/audit/fix_files.ts";
import { cutRules } from "../../src/intake/agent_files/cut_rules.ts";
import { findAgentFiles } from "../../src/intake/agent_files/find_agent_files.ts";
import { listProjects } from "../../src/audit/list_projects.ts";
import { type BenchTable, round } from "../support/table.ts";
import { type Rot, type RotKind, type RuleFile, seedRot } from "./seed_rot.ts";

/** Runs the bench; without data there is nothing to measure. */
export async function run(): Promise<BenchTable[]> {
  const data = Deno.env.get("CTX_BENCH_DATA");
  if (data === undefined) return [];
  const files = findRuleFiles(`${data}/clean`);
  const seeded = `${data}/seeded`;
  await Deno.remove(seeded, { recursive: true }).catch(() => {});
  await copy(`${data}/clean`, seeded);
  const rots = seedRot(seeded, files);
  const judged: Record<string, boolean> = JSON.parse(
    await Deno.readTextFile(`${data}/judged.json`).catch(() => "{}"),
  );
  const found: { repository: string; finding: Finding; rot?: Rot }[] = [];
  const hit = new Set<Rot>();
  let lost = 0;
  let fixed = 0;
  for (const repository of new Set(files.map((file) => file.repository))) {
    const workspace = `${seeded}/${repository}`;
    const { findings, files: cut } = await auditFiles({
      workspace,
      projects: listProjects(seeded, workspace),
    });
    for (const finding of findings.filter((one) => !one.isUnsure)) {
      const own = rots.filter((one) => one.repository === repository && isOf(finding, one));
      for (const one of own) hit.add(one);
      if (own.length === 0 && isFiller(finding)) continue;
      found.push({ repository, finding, rot: own[0] });
    }
    const before = readAll(workspace);
    const fixes = planFixes(cut, findings.filter((one) => !one.isUnsure));
    fixed += fixes.length;
    if (fixes.length === 0) continue;
    applyFixes(`${data}/kept`, fixes, Date.now());
    const kept = findKept(`${data}/kept`);
    if (kept) undoFix(kept, new Set(kept.files.map(({ path }) => path)));
    const after = readAll(workspace);
    for (const [path, text] of before) if (after.get(path) !== text) lost++;
  }
  const keyOf = ({ repository, finding }: typeof found[number]): string =>
    `${repository}/${finding.file}:${finding.line}:${finding.kind}`;
  const unseeded = found.filter(({ rot }) => rot === undefined);
  await Deno.writeTextFile(
    `${data}/findings.json`,
    JSON.stringify(unseeded.map((one) => ({ key: keyOf(one), ...one.finding })), null, 1),
  );
  await Deno.writeTextFile(
    `${data}/missed.json`,
    JSON.stringify(rots.filter((one) => !hit.has(one)), null, 1),
  );
  const kinds: RotKind[] = [...new Set(rots.map(({ kind }) => kind))].sort();
  const rows = [...kinds, "all" as const].map((kind) => {
    const isKind = (one: { kind: string }): boolean => kind === "all" || one.kind === kind;
    const put = rots.filter(isKind);
    const own = found.filter(({ finding }) => isKind(finding));
    const seededOnes = own.filter(({ rot }) => rot !== undefined).length;
    const others = own.filter(({ rot }) => rot === undefined);
    const right = others.filter((one) => judged[keyOf(one)] === true).length;
    const wrong = others.filter((one) => judged[keyOf(one)] === false).length;
    const read = seededOnes + right + wrong;
    const recall = put.filter((one) => hit.has(one)).length / put.length;
    return [
      kind,
      put.length,
      round(recall),
      others.length,
      right,
      wrong,
      read === 0 ? "" : round((seededOnes + right) / read),
    ];
  });
  return [{
    title:
      `Rot in ${files.length} rule files; ${fixed} files fixed and undone, ${lost} differ after`,
    head: ["kind", "seeded", "recall", "others", "judged right", "judged wrong", "precision"],
    rows,
  }];
}

/** The findings that mean what was put there: the right kind, at one of its lines. */
function isOf({ kind, file, line, end }: Finding, rot: Rot): boolean {
  return kind === rot.kind && file === rot.file &&
    rot.lines.some((one) => line <= one && one <= end);
}

/** Lines that only make a file long say nothing about real files. */
function isFiller({ text }: Finding): boolean {
  return /^In week \d+ the work on part/.test(text);
}

function findRuleFiles(root: string): RuleFile[] {
  const repositories = [...Deno.readDirSync(root)].map(({ name }) => name).sort();
  return repositories.flatMap((repository) =>
    findAgentFiles({ workspace: `${root}/${repository}` })
      .filter(({ text }) => cutRules(text).length > 0)
      .map(({ name }) => ({ repository, file: name }))
  );
}

function readAll(workspace: string): Map<string, string> {
  return new Map(findAgentFiles({ workspace }).map(({ path, text }) => [path, text]));
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    if (isDirectory) await copy(`${from}/${name}`, `${to}/${name}`);
    // A history is only read, and may be large.
    else if (isFile && `${from}/`.includes("/.git/")) {
      await Deno.link(`${from}/${name}`, `${to}/${name}`);
    } else if (isFile) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
