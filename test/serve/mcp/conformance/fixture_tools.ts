// Tools that the conformance suite calls by name: progress, logging, errors, questions to the
// client in the old form (requests) and in the new one (input_required). Only in the test build.

import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ServerExtension } from "../../../../src/serve/mcp/server_factory.ts";
import type { ToolDefinition } from "../../../../src/serve/mcp/tool.ts";
import { addFixturePrompts, addFixtureResources, contents, text } from "./fixture_content.ts";
import { elicitationForms, jsonSchemaTool } from "./fixture_schemas.ts";

type Answer = Awaited<ReturnType<Parameters<McpServer["registerTool"]>[2]>>;
type Call = (input: Record<string, unknown>, request: ServerContext) => unknown;

const codec = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const say = (words: string): { content: { type: "text"; text: string }[] } => ({
  content: [text(words)],
});

/** The fixtures as an extension of a server. */
export function makeFixtures(onToolChange: () => void = () => {}): ServerExtension {
  return {
    options: {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: (state, context) => codec.verify(state, context) },
    },
    add(server) {
      addFixtureResources(server);
      addFixturePrompts(server);
      addQuestionPrompt(server);
      server.server.setRequestHandler("resources/subscribe", () => ({}));
      server.server.setRequestHandler("resources/unsubscribe", () => ({}));
      return addTools(server, {
        ...plainTools,
        ...askingTools,
        ...requiringTools,
        test_trigger_tool_change() {
          server.sendToolListChanged();
          onToolChange();
          return say("changed");
        },
        test_trigger_prompt_change() {
          server.sendPromptListChanged();
          return say("changed");
        },
      });
    },
  };
}

const plainTools: Record<string, Call> = {
  ...Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [name, () => ({ content })]),
  ),
  test_error_handling() {
    throw new Error("This tool intentionally returns an error for testing");
  },
  async test_tool_with_progress(_input, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100, message: `Step ${progress}` };
      await mcpReq.notify({ method: "notifications/progress", params });
      await sleep(10);
    }
    return say(String(progressToken));
  },
  async test_tool_with_logging(_input, { mcpReq }) {
    for (const data of ["started", "processing", "completed"]) {
      await mcpReq.log("info", `Tool execution ${data}`);
      await sleep(10);
    }
    return say("Tool with logging executed successfully");
  },
  async test_logging_tool(_input, { mcpReq }) {
    await mcpReq.log("info", "a log message");
    return say("logged");
  },
  json_schema_2020_12_tool: (input) => say(JSON.stringify(input)),
  test_x_mcp_header: (input) => say(JSON.stringify(input)),
};

/** Questions in the form of 2025: requests from the server to the client. */
const askingTools: Record<string, Call> = {
  async test_sampling({ prompt }, { mcpReq }) {
    const answer = await mcpReq.requestSampling({
      messages: [{ role: "user", content: text(String(prompt)) }],
      maxTokens: 100,
    });
    const { content } = answer;
    return say(`LLM response: ${"text" in content ? content.text : "none"}`);
  },
  test_elicitation: ({ message }, { mcpReq }) =>
    elicit(mcpReq, "User response", String(message), elicitationForms.response),
  test_elicitation_sep1034_defaults: (_input, { mcpReq }) =>
    elicit(mcpReq, "Elicitation completed", "Review the form", elicitationForms.defaults),
  test_elicitation_sep1330_enums: (_input, { mcpReq }) =>
    elicit(mcpReq, "Elicitation completed", "Select options", elicitationForms.enums),
};

async function elicit(
  mcpReq: ServerContext["mcpReq"],
  lead: string,
  message: string,
  requestedSchema: object,
): Promise<unknown> {
  const params = { mode: "form", message, requestedSchema } as Parameters<
    typeof mcpReq.elicitInput
  >[0];
  const { action, content } = await mcpReq.elicitInput(params);
  return say(`${lead}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const nameQuestion = (message = "What is your name?") =>
  inputRequired.elicit({ message, requestedSchema: form("name", "string") });
const capital = inputRequired.createMessage({
  messages: [{ role: "user", content: text("What is the capital of France?") }],
  maxTokens: 100,
});

/** Questions in the form of 2026: results that ask, and calls that are made again with answers. */
const requiringTools: Record<string, Call> = {
  test_input_required_result_elicitation(_input, { mcpReq }) {
    const name = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, "user_name")?.name;
    if (typeof name === "string") return say(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: nameQuestion() } });
  },
  test_input_required_result_sampling(_input, { mcpReq }) {
    const answer = mcpReq.inputResponses?.capital_question;
    if (answer) return say(JSON.stringify(answer));
    return inputRequired({ inputRequests: { capital_question: capital } });
  },
  test_input_required_result_list_roots(_input, { mcpReq }) {
    const answer = mcpReq.inputResponses?.client_roots;
    if (answer) return say(JSON.stringify(answer));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state(_input, request) {
    const { mcpReq } = request;
    if (mcpReq.inputResponses?.confirm && mcpReq.requestState()) return say("state-ok");
    const confirm = inputRequired.elicit({
      message: "Please confirm",
      requestedSchema: form("ok", "boolean"),
    });
    const requestState = await codec.mint({ step: 1 }, request);
    return inputRequired({ inputRequests: { confirm }, requestState });
  },
  async test_input_required_result_multiple_inputs(_input, request) {
    const responses = request.mcpReq.inputResponses ?? {};
    const keys = ["user_name", "greeting", "client_roots"];
    if (keys.every((key) => responses[key])) return say(JSON.stringify(responses));
    return inputRequired({
      inputRequests: {
        user_name: nameQuestion(),
        greeting: capital,
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ step: 1 }, request),
    });
  },
  async test_input_required_result_multi_round(_input, request) {
    const { mcpReq } = request;
    const state = mcpReq.requestState<{ step?: number }>();
    if (state?.step === 2 && mcpReq.inputResponses?.step2) return say("all rounds done");
    if (state?.step === 1 && mcpReq.inputResponses?.step1) {
      const step2 = inputRequired.elicit({
        message: "Step 2: What is your favorite color?",
        requestedSchema: form("color", "string"),
      });
      const requestState = await codec.mint({ step: 2 }, request);
      return inputRequired({ inputRequests: { step2 }, requestState });
    }
    const step1 = nameQuestion("Step 1: What is your name?");
    const requestState = await codec.mint({ step: 1 }, request);
    return inputRequired({ inputRequests: { step1 }, requestState });
  },
  async test_input_required_result_tampered_state(_input, request) {
    if (request.mcpReq.requestState()) return say("state-ok");
    const requestState = await codec.mint({ step: 1 }, request);
    return inputRequired({ inputRequests: { confirm: nameQuestion() }, requestState });
  },
  test_input_required_result_capabilities(_input, { mcpReq }) {
    if (mcpReq.inputResponses?.capital_question) return say("done");
    return inputRequired({ inputRequests: { capital_question: capital } });
  },
  test_missing_capability: (_input, { mcpReq }) =>
    mcpReq.inputResponses?.capital_question
      ? say("done")
      : inputRequired({ inputRequests: { capital_question: capital } }),
  test_streaming_elicitation: (_input, { mcpReq }) =>
    mcpReq.inputResponses?.user_name
      ? say("done")
      : inputRequired({ inputRequests: { user_name: nameQuestion() } }),
};

function addQuestionPrompt(server: McpServer): void {
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "A fixture" },
    ({ mcpReq }) => {
      if (mcpReq.inputResponses?.user_context) {
        const content = text(JSON.stringify(mcpReq.inputResponses.user_context));
        return { messages: [{ role: "user" as const, content }] };
      }
      const user_context = inputRequired.elicit({
        message: "What context should the prompt use?",
        requestedSchema: form("context", "string"),
      });
      return inputRequired({ inputRequests: { user_context } });
    },
  );
}

function addTools(server: McpServer, calls: Record<string, Call>): ToolDefinition[] {
  return Object.entries(calls).map(([name, call]) => {
    const inputSchema = jsonSchemaTool(name);
    const schema = {
      "~standard": {
        version: 1 as const,
        vendor: "fixture",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => inputSchema, output: () => inputSchema },
      },
    };
    const about = { description: "A fixture", inputSchema: schema };
    server.registerTool(
      name,
      about,
      async (input, request) => await call(toFields(input), request) as Answer,
    );
    const annotations = { readOnlyHint: true, openWorldHint: false };
    return { name, description: "A fixture", inputSchema, annotations };
  });
}

function toFields(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? { ...input } : {};
}

function form<T extends "string" | "boolean">(
  name: string,
  type: T,
): { type: "object"; properties: Record<string, { type: T }>; required: string[] } {
  return { type: "object", properties: { [name]: { type } }, required: [name] };
}
