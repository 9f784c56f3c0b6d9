// What is said to a model and what it says, in the form of OpenAI-compatible providers. Types only.

export type Message =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; tool_calls?: ToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** A tool that the model wants to have called; the arguments are as it wrote them. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** What a model is told of a tool. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Tokens of one call; estimated where the provider does not tell. */
export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
  estimated: boolean;
}

/** One reply of the model. */
export interface Completion {
  text: string;
  toolCalls: ToolCall[];
  usage: TokenUsage;
}

/** One call of the model. */
export interface CompletionRequest {
  messages: Message[];
  tools: ToolSpec[];
  /** `none` makes it answer in words. */
  toolChoice: "auto" | "none";
  /** Given, the reply is streamed to it. */
  onText?: (text: string) => void;
}

export interface LlmClient {
  complete(request: CompletionRequest): Promise<Completion>;
}
