// Counts the test cases that ran the built file, so that the suite can say how many did. Each test
// file has its own count; the suite's runner (test/main.ts) adds them up.

/** Names the directory in which the counts of one suite run are collected. */
export const countsVariable = "CTX_TEST_COUNTS";

const count = { cases: 0, processes: 0 };
let startedInCase = 0;

/** Notes that the case that runs now starts the built file. */
export function noteStart(): void {
  startedInCase++;
}

Deno.test.beforeEach(() => {
  startedInCase = 0;
});

Deno.test.afterEach(() => {
  if (startedInCase > 0) count.cases++;
  count.processes += startedInCase;
});

Deno.test.afterAll(() => {
  const directory = Deno.env.get(countsVariable);
  if (directory === undefined || count.cases === 0) return;
  Deno.writeTextFileSync(`${directory}/${crypto.randomUUID()}.json`, JSON.stringify(count));
});

/** The counts of all test files of a suite run. */
export function readCounts(directory: string): typeof count {
  const sum = { cases: 0, processes: 0 };
  for (const { name } of Deno.readDirSync(directory)) {
    const { cases, processes } = JSON.parse(Deno.readTextFileSync(`${directory}/${name}`));
    sum.cases += cases;
    sum.processes += processes;
  }
  return sum;
}
