// Figures as a table, with bars for the first of them.

import type { JSX } from "preact";

export type Figure = [name: string, ...figures: number[]];

/** Shows figures; nothing where there are none. */
export function FigureTable(
  { title, names, rows, hasBars }: {
    title: string;
    names: readonly string[];
    rows: readonly Figure[];
    hasBars?: boolean;
  },
): JSX.Element | null {
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map(([, figure]) => figure));
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
          {rows.map(([name, ...figures]) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {hasBars && (
                  <svg
                    class="bar"
                    viewBox="0 0 100 4"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                  >
                    <rect width={100 * figures[0] / most} height={4} />
                  </svg>
                )}
              </th>
              {figures.map((figure, i) => (
                <td key={i}>{figure.toLocaleString("en", { maximumFractionDigits: 1 })}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
