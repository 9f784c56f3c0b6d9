// A captured screen as its text and, character for character, a letter of each one's style.

/** The letters: what a combination of codes of SGR means. */
const letters: Record<string, string> = {
  "": " ",
  "1": "b",
  "2": "d",
  "35": "i",
  "1;35": "I",
  "1;31": "m",
  "36": "t",
  "32": "g",
  "2;32": "g",
  "33": "w",
  "2;33": "w",
  "2;35": "i",
  "2;36": "t",
};

/** Takes escape sequences out of a screen; each character has one letter, however wide it is. */
export function readStyles(screen: string): { text: string; styles: string } {
  let text = "";
  let styles = "";
  let codes = new Set<string>();
  // deno-lint-ignore no-control-regex
  for (const [piece, sequence, line] of screen.matchAll(/\x1b\[([\d;]*)m|(\n)|[^]/gu)) {
    if (sequence !== undefined) {
      for (const code of sequence.split(";")) {
        if (code === "49") continue;
        if (code === "0" || code === "") codes = new Set();
        else if (code === "39") {
          for (const one of codes) if (/^3\d/.test(one)) codes.delete(one);
        } else codes.add(code);
      }
    } else if (line) {
      text = text.trimEnd() === "" ? text + line : text.replace(/ +$/, "") + line;
      styles = styles.replace(/ +$/, "") + line;
    } else {
      const key = [...codes].sort((a, b) => Number(a) - Number(b)).join(";");
      text += piece;
      styles += piece === " " ? " " : letters[key] ?? "?";
    }
  }
  return { text: text.split("\n").map((line) => line.trimEnd()).join("\n"), styles };
}
