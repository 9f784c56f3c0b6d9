// `deno task kernels`: assembles every `.wat` of src/ and puts it, as base64, into the `binary` of the
// module beside it. With `--check` it writes nothing and fails where the two differ.

import makeWabt from "wabt";

const wabt = await makeWabt();
const stale = [...watFiles("src")].filter((path) => !holdsItsText(path));
if (stale.length > 0 && Deno.args.includes("--check")) {
  throw new Error(`Not assembled: ${stale.join(", ")}; run: deno task kernels`);
}

/** Whether the module already holds the kernel; puts it there unless only asked. */
function holdsItsText(path: string): boolean {
  const { buffer } = wabt.parseWat(path, Deno.readTextFileSync(path), { simd: true }).toBinary({});
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  const target = path.replace(/wat$/, "ts");
  const module = Deno.readTextFileSync(target);
  const held = /const binary =([^;]*);/.exec(module)?.[1] ?? "";
  if ([...held.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("") === base64) return true;
  if (Deno.args.includes("--check")) return false;
  const lines = base64.match(/.{1,80}/g)?.map((line) => `"${line}"`) ?? [];
  const binary = `const binary =\n  ${lines.join(" +\n  ")};`;
  Deno.writeTextFileSync(target, module.replace(/const binary =[^;]*;/, () => binary));
  return false;
}

function* watFiles(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* watFiles(path);
    else if (name.endsWith(".wat")) yield path;
  }
}
