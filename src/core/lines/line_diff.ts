// The difference of two texts, line by line, for people. Pure.

const maxLines = 800;

/** Changed lines with `-` and `+`, and one line around them; empty when the texts are equal. */
export function diffLines(before: string, after: string): string {
  if (before === after) return "";
  const a = splitLines(before);
  const b = splitLines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start && end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) end++;
  const middle = diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lead = start > 0 ? [` ${a[start - 1]}`] : [];
  const tail = end > 0 ? [` ${a[a.length - end]}`] : [];
  return [...lead, ...middle, ...tail].join("\n") + "\n";
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The longest common lines stay; beyond a size everything is taken as changed. */
function diffMiddle(a: string[], b: string[]): string[] {
  if (a.length > maxLines || b.length > maxLines) {
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  }
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j]
        ? table[(i + 1) * width + j + 1] + 1
        : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i++;
      j++;
    } else if (
      j >= b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])
    ) {
      lines.push(`-${a[i++]}`);
    } else lines.push(`+${b[j++]}`);
  }
  return lines;
}
