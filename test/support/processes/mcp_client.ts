// The official MCP client against the built `ctx mcp`, over its standard streams.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ctxCommand, isolatedEnv } from "./run_ctx.ts";

/** What a tool answered. */
export interface ToolReply {
  isError?: boolean;
  /** The text blocks, joined. */
  text: string;
  // deno-lint-ignore no-explicit-any
  data: any;
}

/** A client that is connected; dispose of it. */
export interface McpSession extends AsyncDisposable {
  client: Client;
  pid: number;
  call(name: string, input?: Record<string, unknown>): Promise<ToolReply>;
}

/** Starts `ctx mcp WORDS…`, or another command, in a workspace and connects. */
export async function connectMcp(
  workspace: string,
  options: { name?: string; words?: string[]; env?: Record<string, string> } = {},
): Promise<McpSession> {
  const [command, ...args] = ctxCommand(options.name ?? "mcp", ...options.words ?? []);
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: workspace,
    env: { ...isolatedEnv(workspace), ...options.env },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input = {}) {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: input,
      });
      const blocks = content as { text?: string }[];
      return {
        text: blocks.map(({ text }) => text ?? "").join("\n"),
        data: structuredContent,
        ...(isError ? { isError: true } : {}),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}
