// Styles as marks in a text: noncharacters, which the terminal writer turns into escape sequences
// after it has made everything else harmless. Loaded only where there is colour, or a terminal.

import { type Style, type Styles, stylesFrom } from "../command/view.ts";

/** How styles look on a terminal (codes of SGR): few colours, all readable on dark and on light. */
export const looks: Record<Style, string> = {
  bold: "1",
  dim: "2",
  name: "35",
  prefix: "1;35",
  match: "1;31",
  title: "1",
  when: "36",
  number: "1",
  good: "32",
  warning: "33",
  error: "1;31",
};

/** The mark of the first style; those of the others follow in their order. */
export const firstMark = 0xfdd0;
/** Ends the style that was begun last. */
export const endMark = "\ufdef";

/** Each style puts its mark and that of the end around a text; without colour none does. */
export function stylesOf(color: boolean): Styles {
  return stylesFrom((i) => (text) =>
    color && text !== "" ? String.fromCharCode(firstMark + i) + text + endMark : text
  );
}
