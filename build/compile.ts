// `deno task compile [--target NAME]… [--all] [--form auto|compiled|self-extracting] [--gzip]
// [--plain] [--out DIR]`: builds ctx as one executable file. Bundles once; then `deno compile` where its base
// can be had, else the self-extracting form.

import manifest from "../deno.json" with { type: "json" };
import { bundle, stampBundle } from "./bundle.ts";
import { repository } from "./repository.ts";
import { writeChecksums } from "./checksums.ts";
import { findCommit } from "./commit.ts";
import { compileNative } from "./compile_native.ts";
import { getDenoFor } from "./deno_binary.ts";
import { findDenort } from "./denort.ts";
import { writeSelfExtracting } from "./self_extracting.ts";
import { fileNameOf, getTarget, hostTarget, plainName, type Target, targets } from "./target.ts";

/** What to build. */
export interface CompileOptions {
  targets: Target[];
  form: "auto" | "compiled" | "self-extracting";
  /** Compress the self-extracting form. */
  gzip: boolean;
  /** Compress its Deno with xz where this machine can; true unless it is said. */
  xz?: boolean;
  out: string;
  /** A bundle that is there already; else one is made. */
  bundle?: string;
  say: (line: string) => void;
}

/** One file that was built. */
export interface Built {
  path: string;
  target: Target;
  form: "compiled" | "self-extracting";
  sizeBytes: number;
}

/** Builds ctx for some targets; the host's is also there as plain `ctx`. */
export async function compile(options: CompileOptions): Promise<Built[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-build-" });
  try {
    await Deno.mkdir(options.out, { recursive: true });
    const commit = await findCommit(repository);
    const plain = options.bundle ?? `${work}/bundle`;
    if (options.bundle === undefined) {
      options.say(`bundling ctx ${manifest.version}`);
      await bundle(plain);
    }
    const stamped = async (form: Built["form"]): Promise<string> => {
      await stampBundle(plain, `${work}/${form}`, { form, commit });
      return `${work}/${form}`;
    };
    const built: Built[] = [];
    const aliases: string[] = [];
    for (const target of options.targets) {
      const path = `${options.out}/${fileNameOf(target)}`;
      const form = await chooseForm(target, options);
      if (form === "self-extracting" && target.os === "windows") {
        options.say(`${target.name} is left out: the self-extracting form starts with a shell`);
        continue;
      }
      const code = await stamped(form);
      if (form === "compiled") {
        await compileNative({ target, bundle: code, output: path });
      } else {
        await writeSelfExtracting({
          target,
          version: manifest.version,
          bundle: code,
          deno: await getDenoFor(target, work),
          gzip: options.gzip,
          xz: options.xz ?? true,
          output: path,
        });
      }
      const { size } = await Deno.stat(path);
      built.push({ path, target, form, sizeBytes: size });
      const host = target === hostTarget();
      if (host) aliases.push(`${options.out}/${plainName(target)}`);
      const names = (host ? [aliases[0], path] : [path]).map((name) =>
        name.replace(repository, "")
      );
      options.say(`${names.join(" and ")}: ${form}, ${(size / 1e6).toFixed(1)} MB`);
      if (host) await linkAs(path, aliases[0]);
    }
    if (built.length === 0) throw new Error("Cannot compile: nothing could be built");
    await writeChecksums(options.out, [...built.map((item) => item.path), ...aliases]);
    return built;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function chooseForm(target: Target, options: CompileOptions): Promise<Built["form"]> {
  if (options.form !== "auto") return options.form;
  const base = await findDenort(target);
  if (base.found) return "compiled";
  options.say(`no base of deno compile for ${target.name} (${base.reason}): packing a whole Deno`);
  return "self-extracting";
}

async function linkAs(path: string, name: string): Promise<void> {
  await Deno.remove(name).catch(() => {});
  await Deno.link(path, name).catch(() => Deno.copyFile(path, name));
}

function parseOptions(args: readonly string[]): CompileOptions {
  const chosen: Target[] = [];
  const options: CompileOptions = { targets: chosen, form: "auto", gzip: true, out: "", say };
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split("=", 2);
    const value = (): string => inline ?? args[++i] ?? "";
    if (flag === "--target") chosen.push(getTarget(value()));
    else if (flag === "--all") chosen.push(...targets);
    else if (flag === "--plain") options.gzip = false;
    else if (flag === "--gzip") options.xz = false;
    else if (flag === "--out") options.out = value();
    else if (flag === "--form") options.form = toForm(value());
    else throw new Error(`Cannot compile: unknown flag "${flag}"`);
  }
  if (chosen.length === 0) chosen.push(hostTarget());
  options.out ||= `${repository}dist`;
  return options;
}

function toForm(word: string): CompileOptions["form"] {
  if (word === "auto" || word === "compiled" || word === "self-extracting") return word;
  throw new Error(`Cannot compile: --form is auto, compiled or self-extracting, not "${word}"`);
}

function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  try {
    await compile(parseOptions(Deno.args));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
