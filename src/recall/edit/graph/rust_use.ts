// Expands a Rust `use` tree to plain paths. Pure.

/** `crate::a::{b, c::D}` gives `crate::a::b` and `crate::a::c::D`. */
export function expandRustUse(text: string): string[] {
  const clean = text.replace(/\s+as\s+\w+/g, "").replace(/\s+/g, "");
  const open = clean.indexOf("{");
  if (open < 0) return [clean.replace(/::\*$/, "")];
  const head = clean.slice(0, open);
  const body = clean.slice(open + 1, clean.lastIndexOf("}"));
  return splitTop(body).flatMap((part) =>
    part === "self" ? [head.replace(/::$/, "")] : expandRustUse(head + part)
  );
}

/** Splits at commas that stand in no braces. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}") depth--;
    else if (i === text.length || (text[i] === "," && depth === 0)) {
      if (i > from) parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return parts;
}
