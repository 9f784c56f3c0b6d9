// Rows within a budget: every count measures the rows that are returned.

import { countTokens } from "../core/tokens.ts";
import { encode } from "./execute.ts";

/** Rows that fit and what they cost. */
export interface Fitted<T> {
  rows: T[];
  /** How many did not fit; those from the first one on that is too large. */
  over_budget: number;
  /** Without a budget worked out when it is asked for: people who read the rows never do. */
  readonly estimated_tokens: number;
}

/** Takes rows in order while they fit; without a budget, all of them. */
export function fitRows<T>(
  rows: T[],
  budgetTokens?: number,
  measure: (row: T) => number = (row) => countTokens(encode(row)),
): Fitted<T> {
  if (budgetTokens === undefined) {
    return {
      rows,
      over_budget: 0,
      get estimated_tokens() {
        return rows.reduce((sum, row) => sum + measure(row), 0);
      },
    };
  }
  const fitted: T[] = [];
  let tokens = 0;
  for (const row of rows) {
    const size = measure(row);
    if (tokens + size > budgetTokens) break;
    tokens += size;
    fitted.push(row);
  }
  return { rows: fitted, over_budget: rows.length - fitted.length, estimated_tokens: tokens };
}
