// Figures as a table, with bars for the first of them.

import type { JSX } from "preact";

export type Figure = [name: string, ...figures: number[]];

/** Shows figures; nothing where there are none. */
export function FigureTable(
  { title, names, rows, hasBars, links = [], say = sayNumber }: {
    title: string;
    names: readonly string[];
    rows: readonly Figure[];
    hasBars?: boolean;
    /** Where the name of a row leads, by its place. */
    links?: readonly (string | undefined)[];
    /** How a figure is written, by its column. */
    say?: (figure: number, column: number) => string;
  },
): JSX.Element | null {
  if (rows.length === 0) return null;
  const most = Math.max(0, ...rows.map(([, figure]) => figure || 0)) || 1;
  return (
    <div class="figure-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {names.map((name) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...figures], at) => (
            <tr key={at}>
              <th scope="row">
                {links[at] ? <a href={links[at]}>{name}</a> : name}
                {hasBars && (
                  <svg
                    class="bar"
                    viewBox="0 0 100 4"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                  >
                    <rect width={100 * (figures[0] || 0) / most} height={4} />
                  </svg>
                )}
              </th>
              {figures.map((figure, i) => <td key={i}>{say(figure, i)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function sayNumber(figure: number): string {
  return figure.toLocaleString("en", { maximumFractionDigits: 1 });
}
