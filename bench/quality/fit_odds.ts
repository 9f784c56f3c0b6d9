// Fits the logarithm of odds to some facts: logistic regression with a small penalty, by plain gradient
// descent on standardised facts.

/** The base and what each fact adds; `facts` has one row for each outcome, 0 or 1. */
export function fitOdds(
  facts: readonly (readonly number[])[],
  outcomes: readonly number[],
): number[] {
  const width = facts[0].length;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const means = Array.from({ length: width }, (_, i) => mean(facts.map((row) => row[i])));
  const spreads = means.map((middle, i) =>
    Math.sqrt(mean(facts.map((row) => (row[i] - middle) ** 2))) || 1
  );
  const rows = facts.map((row) => [1, ...row.map((fact, i) => (fact - means[i]) / spreads[i])]);
  let weights = new Array<number>(width + 1).fill(0);
  for (let step = 0; step < 3000; step++) {
    const slope = weights.map((weight, i) => i === 0 ? 0 : weight);
    rows.forEach((row, n) => {
      const odds = row.reduce((sum, fact, i) => sum + fact * weights[i], 0);
      const off = 1 / (1 + Math.exp(-odds)) - outcomes[n];
      row.forEach((fact, i) => slope[i] += off * fact);
    });
    weights = weights.map((weight, i) => weight - 0.02 * slope[i]);
  }
  const [base, ...slopes] = weights;
  const raw = slopes.map((slope, i) => slope / spreads[i]);
  return [base - raw.reduce((sum, slope, i) => sum + slope * means[i], 0), ...raw];
}
