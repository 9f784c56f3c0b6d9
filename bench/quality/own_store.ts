// A store of our own for `silence`: the messages of this repository's commits and the sections of its
// documents. The questions were written before any score was looked at; those of the second list are
// plausible here, and nothing answers them.

import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { catchUp } from "../../src/index/catch_up.ts";
import { openStore } from "./open_store.ts";

/** What a newcomer would ask, and what is answered. */
export const answerable: readonly string[] = [
  "how are the newest sessions imported first",
  "which agents can import read besides Claude Code",
  "how does redaction treat a token with a percent sign",
  "why is git history read without running git",
  "what does the damaged index warning tell people to run",
  "how many tokens may the tool descriptions take",
  "what makes a result strong or weak in confidence",
  "how do I exclude a phrase from search results",
  "which scripts give single characters and pairs when tokenizing",
  "how long does comparing a million vectors take",
  "what happens to an entry that was corrected in the ranking",
  "can servers search all projects",
  "how is one age shown everywhere in lists and packs",
  "what does undo say about what the team has",
  "push and pull cost after plain insert",
  "how are duplicates of a result folded",
  "what is a tombstone",
  "how does freshness know that code changed",
  "where are the pins stored",
  "how do webhooks sign what they send",
  "which key forgets an entry in the picker",
  "what is loaded by a search before it runs",
  "how does the local embedder compute a vector",
  "why is Orama's own index not used",
  "what does ctx status show about connected agents",
  "how can a team member be removed",
  "how is the binary checked at start",
  "which environment variables change the configuration",
  "what does exit code 3 mean",
  "how does a resumed session avoid getting context twice",
  "what are session titles made from",
  "how is a time like last week read in a question",
  "what does compact write into summary.md",
  "how do hooks capture a prompt",
  "what is the format of a row in the log",
  "how are documents added to a collection",
  "what is kept when a history file is rewritten by forget",
  "how does why find the session behind a line",
  "which columns does a search print on a pipe",
  "how does the ui keep other sites from reading it",
];

/** What somebody might well ask of such a project, and nothing here answers. */
export const unanswerable: readonly string[] = [
  "which kubernetes cluster runs the staging environment",
  "how do we bill enterprise customers each month",
  "why did we choose kafka over rabbitmq",
  "what is the uptime guarantee of the hosted service",
  "how is the android app signed for the play store",
  "who approved the privacy review of the mobile client",
  "how are screenshots indexed with character recognition",
  "which gpu trains the nightly reranker",
  "what did the customer interviews in Berlin say about pricing",
  "how do we rotate the stripe webhook secret",
  "when does the terraform state bucket get cleaned up",
  "which feature flag turns on the new onboarding wizard",
  "how does the slack bot post the weekly digest",
  "what was the result of the load test with ten thousand websocket users",
  "why does the react native screen flicker on rotation",
  "how do we shard the cassandra tables",
  "who is on call this weekend",
  "what is the salary band for senior engineers",
  "how do I reset the password of my account on the website",
  "which vendor delivers the translation of the marketing site",
  "how does the graphql gateway cache persisted queries",
  "what is the plan for the office move in March",
  "how do we migrate from mysql to aurora",
  "why was the iphone widget rejected by the reviewer",
  "how is speech transcribed in meetings",
  "which dashboards show the churn of subscribers",
  "how do we test the payment form with fake cards",
  "what did legal say about the trademark",
  "how does the recommendation carousel rank products",
  "what is the retention policy for call recordings",
  "which load balancer terminates tls in production",
  "how do I install the vscode extension from the marketplace",
  "why did the ansible playbook fail on the bastion host",
  "how is the helm chart versioned",
  "what color palette did the designer choose for dark mode",
  "how many seats did the university license include",
  "how do we throttle the email newsletter",
  "which airline did the team book for the offsite",
  "how does the bluetooth pairing retry",
  "what is the maximum file size for avatar uploads",
];

/** Fills a store with what the repository says of itself. */
export async function fillOwnStore(repository: string, workspace: string): Promise<void> {
  const args = ["-C", repository, "log", "--no-merges", "--format=%H%x1f%cI%x1f%B%x1e"];
  const { stdout } = await new Deno.Command("git", { args }).output();
  const commits = new TextDecoder().decode(stdout).split("\x1e").map((one) => one.trim())
    .filter((one) => one !== "").map((one) => {
      const [id, ts, text] = one.split("\x1f");
      return { id: `H-${id.slice(0, 12)}`, ts, role: "note", type: "note", text };
    });
  const sections = [...Deno.readDirSync(`${repository}/docs`)].map(({ name }) => name)
    .filter((name) => name.endsWith(".md")).sort()
    .flatMap((name) => Deno.readTextFileSync(`${repository}/docs/${name}`).split(/^(?=## )/m))
    .map((text, i) => ({ id: `H-doc${i}`, ts: commits[0].ts, role: "note", type: "note", text }));
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  const lines = [...sections, ...commits].map((row) => JSON.stringify(row) + "\n").join("");
  await Deno.writeTextFile(`${workspace}/.contextfs/history.ndjson`, lines);
  await catchUp(openStore(workspace), { embedder: openLocalEmbedder({ whole: true }) });
}
