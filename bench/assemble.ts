// Assembles the WASM kernels of src/index: puts each `*kernel.wat`, as base64, into the `binary` of
// the module beside it. Run after a change of one: deno run -A bench/assemble.ts

import makeWabt from "wabt";

const folder = new URL("../src/index/", import.meta.url);
const wabt = await makeWabt();
for (const { name } of Deno.readDirSync(folder)) {
  if (!name.endsWith("kernel.wat")) continue;
  const text = Deno.readTextFileSync(new URL(name, folder));
  const { buffer } = wabt.parseWat(name, text, { simd: true }).toBinary({});
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  const lines = base64.match(/.{1,80}/g)?.map((line) => `"${line}"`) ?? [];
  const target = new URL(name.replace(/wat$/, "ts"), folder);
  const module = Deno.readTextFileSync(target);
  const binary = `const binary = ${lines.join(" +\n  ")};`;
  Deno.writeTextFileSync(target, module.replace(/const binary = [^;]*;/, () => binary));
}
