// Ten sessions on one topic, as they might go: how failed deliveries are retried is decided in the first
// one, decided anew in the fourth and again in the seventh. Data only.

/** One prompt and what the agent did about it. */
export interface PlayedExchange {
  prompt: string;
  /** Asked of ctx before anything else. */
  search?: string;
  /** A file that was read. */
  read?: string;
  /** A file, what it said and what it says now. */
  edit?: { file: string; from: string; to: string };
  /** A command and what it printed. */
  run?: { command: string; output: string };
  /** A decision that the agent saved itself, in the place of what it had found. */
  save?: { text: string; title: string };
  answer: string;
}

/** What holds after a session: words that only that decision has. */
export interface Ruling {
  name: string;
  /** Told wherever the decision is told. */
  sign: RegExp;
}

/** One session. */
export interface PlayedSession {
  about: string;
  /** Set where something was decided. */
  ruling?: Ruling;
  exchanges: PlayedExchange[];
}

/** Asked after every session. */
export const questions: readonly string[] = [
  "how are failed deliveries retried",
  "what did we decide about delivery retries and why",
  "retry attempts delay",
];

const passed = (count: number): string => `ok | ${count} passed | 0 failed (${count * 9}ms)`;
const test = (count: number) => ({
  command: "deno test test/queue/retry_test.ts",
  output: passed(count),
});

/** The sessions, oldest first. */
export const playedSessions: readonly PlayedSession[] = [
  {
    about: "a fixed delay is decided",
    ruling: { name: "fixed delay", sign: /three attempts, 30 seconds apart/ },
    exchanges: [
      {
        prompt:
          "Failed deliveries are lost when the carrier's API is down. How should we retry failed deliveries?",
        search: "failed deliveries retry",
        read: "src/queue/worker.ts",
        answer:
          "The worker drops a parcel when `sendParcel` throws. Two ways to retry failed deliveries:\n\n- **Fixed delay**: simple, predictable load on the carrier.\n- **Growing delay**: kinder in long outages, harder to test.",
      },
      {
        prompt:
          "Let's use the fixed delay for delivery retries, not a growing one: three attempts, 30 seconds apart, because the carrier throttles bursts.",
        edit: {
          file: "src/queue/retry.ts",
          from: "export const attempts = 1;",
          to: "export const attempts = 3;\nexport const delayMs = 30_000;",
        },
        run: test(14),
        answer:
          "Delivery retries use a fixed delay now: three attempts, 30 seconds apart, because the carrier throttles bursts. `retryDelivery` in src/queue/retry.ts does it; all 14 tests pass.",
      },
    ],
  },
  {
    about: "a metric",
    exchanges: [{
      prompt: "Add a metric that counts how often a delivery is retried.",
      search: "delivery retries",
      edit: {
        file: "src/queue/metrics.ts",
        from: "export const counters = {};",
        to: "export const counters = { delivery_retries: 0 };",
      },
      run: test(15),
      answer:
        "The counter `delivery_retries` in src/queue/metrics.ts goes up with every retry; 15 tests pass.",
    }],
  },
  {
    about: "documentation",
    exchanges: [{
      prompt: "Describe the queue's behaviour for operators in docs/queue.md.",
      search: "queue behaviour retries operators",
      edit: {
        file: "docs/queue.md",
        from: "# Queue",
        to: "# Queue\n\nFailed deliveries are tried again; see src/queue/retry.ts.",
      },
      answer:
        "docs/queue.md says what operators see and where the numbers are; it points to src/queue/retry.ts.",
    }],
  },
  {
    about: "a growing delay is decided instead",
    ruling: { name: "exponential backoff", sign: /five attempts, doubling from one second/ },
    exchanges: [
      {
        prompt:
          "The outage last night got worse because all workers came back at the same moment. What did we decide about delivery retries, and why?",
        search: "what did we decide about delivery retries and why",
        answer:
          "The fixed delay was chosen because the carrier throttles bursts. It makes every worker come back at the same time after an outage, which is what we saw last night.",
      },
      {
        prompt:
          "Let's switch delivery retries to exponential backoff instead of the fixed delay: five attempts, doubling from one second, because the fixed delay made the outage worse.",
        edit: {
          file: "src/queue/retry.ts",
          from: "export const delayMs = 30_000;",
          to: "export const firstDelayMs = 1_000;\nexport const factor = 2;",
        },
        run: test(17),
        answer:
          "Delivery retries use exponential backoff now instead of the fixed delay: five attempts, doubling from one second, because the fixed delay made the outage worse. 17 tests pass.",
      },
    ],
  },
  {
    about: "a flaky test",
    exchanges: [{
      prompt: "test/queue/retry_test.ts fails now and then. Find out why.",
      search: "retry_test flaky",
      read: "test/queue/retry_test.ts",
      edit: {
        file: "test/queue/retry_test.ts",
        from: "await delay(1000);",
        to: "await clock.tickAsync(1000);",
      },
      run: test(17),
      answer:
        "The cause was the real clock in test/queue/retry_test.ts: a busy machine was late. It uses a fake clock now; 17 tests pass.",
    }],
  },
  {
    about: "a setting",
    exchanges: [{
      prompt: "Make the number of attempts a setting, QUEUE_ATTEMPTS.",
      search: "delivery retries attempts",
      edit: {
        file: "src/queue/retry.ts",
        from: "export const attempts = 5;",
        to: 'export const attempts = Number(Deno.env.get("QUEUE_ATTEMPTS") ?? 5);',
      },
      run: test(18),
      answer: "`QUEUE_ATTEMPTS` sets the number of attempts in src/queue/retry.ts; 18 tests pass.",
    }],
  },
  {
    about: "a dead-letter queue is decided instead",
    ruling: { name: "dead-letter queue", sign: /eight attempts within 24 hours/ },
    exchanges: [
      {
        prompt:
          "Parcels are still lost after long outages. What do we do for delivery retries now?",
        search: "what did we decide about delivery retries and why",
        answer:
          "Exponential backoff gives up after half a minute, so an outage of an hour still loses parcels.",
      },
      {
        prompt:
          "We will use a dead-letter queue for delivery retries instead of giving up after the backoff: eight attempts within 24 hours, then the parcel waits for an operator, because no parcel may be lost.",
        edit: {
          file: "src/queue/retry.ts",
          from: "throw new DeliveryFailed(parcel);",
          to: "await deadLetters.put(parcel);",
        },
        run: test(21),
        save: {
          title: "Delivery retries",
          text:
            "Delivery retries end in a dead-letter queue: eight attempts within 24 hours, then the parcel waits for an operator, because no parcel may be lost.",
        },
        answer:
          "Delivery retries end in a dead-letter queue now: eight attempts within 24 hours, then the parcel waits for an operator, because no parcel may be lost. 21 tests pass.",
      },
    ],
  },
  {
    about: "a screen for operators",
    exchanges: [{
      prompt: "Operators need a list of the parcels that wait for them.",
      search: "parcels that wait for an operator",
      edit: {
        file: "src/serve/web/waiting.ts",
        from: "export {};",
        to: "export const listWaiting = () => deadLetters.list();",
      },
      run: test(23),
      answer: "`listWaiting` in src/serve/web/waiting.ts lists them, oldest first; 23 tests pass.",
    }],
  },
  {
    about: "an alarm",
    exchanges: [{
      prompt: "Raise an alarm when more than 50 parcels wait.",
      search: "delivery retries dead letters",
      edit: {
        file: "src/queue/alarm.ts",
        from: "export const limit = Infinity;",
        to: "export const limit = 50;",
      },
      run: test(24),
      answer: "src/queue/alarm.ts raises an alarm above 50 waiting parcels; 24 tests pass.",
    }],
  },
  {
    about: "a release",
    exchanges: [{
      prompt: "Write the release notes: what changed for delivery retries?",
      search: "what did we decide about delivery retries and why",
      edit: {
        file: "CHANGELOG.md",
        from: "# Changelog",
        to: "# Changelog\n\n## 2.0\n\nNo parcel is lost any more.",
      },
      answer: "CHANGELOG.md has the release notes of 2.0.",
    }],
  },
];
