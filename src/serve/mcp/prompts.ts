// Prompts a person can pick in their client. They explain how to use the tools and contain no stored text.

import { retrievalWorkflow } from "../../setup/retrieval_agent.ts";

export interface ServedPrompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  /** The text for given arguments. */
  render(values: Record<string, string>): string;
}

export function makePrompts(): ServedPrompt[] {
  return [
    {
      name: "retrieval_agent",
      title: "Answer from memory",
      description: "Find the answer to a question in past sessions, with sources",
      arguments: [{ name: "question", description: "What you want to know", required: true }],
      render: ({ question }) => `${retrievalWorkflow()}\nLook for: ${quote(question)}`,
    },
    {
      name: "what_did_we_decide",
      title: "What did we decide about …",
      description: "The decision on a topic: what, why, when, and whether it still holds",
      arguments: [{ name: "topic", description: "The topic", required: true }],
      render: ({ topic }) =>
        `What did we decide about ${
          quote(topic)
        }? Search the memory with type "decision" first, then without a type. ` +
        "For the best result, read the timeline around it and get its text. Answer with the decision, its reason, its date and its id. " +
        "If a later entry supersedes it, use the later one. If nothing was decided, say so.",
    },
    {
      name: "summarise_today",
      title: "Summarise today",
      description: "What happened in this workspace today",
      arguments: [],
      render: () =>
        'Summarise what happened in this workspace today. Call list with since "1d", then search or read those sessions, using at most 4,000 tokens. ' +
        "Write at most five bullets: decisions, changes and open questions, each with the id it comes from. Do not save anything.",
    },
  ];
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 2000));
}
