// The permissions as a table for docs/BINARY.md: which command may touch what, and the test that
// proves it. Made from the same lists that the launchers are made from.

import {
  editorCommands,
  localCommands,
  localFlags,
  mcpVariables,
  netCommands,
  netFlags,
  pageServers,
  providerCommands,
  selfCommands,
  servers,
} from "./permissions.ts";

/** One kind of command. */
export interface MatrixRow {
  commands: string;
  /** What it may touch. */
  may: Record<"read" | "write" | "net" | "env" | "run", string>;
  /** Where that is proved: a file, and the name of the test in it. */
  proofs: { file: string; test: string }[];
}

const starts = {
  file: "test/binary/permissions_test.ts",
  test: "every command is started with the permissions of its row and no others",
};
const denied = {
  file: "test/binary/permissions_test.ts",
  test: "what a row does not name is denied by the runtime",
};
const providers = "test/binary/provider_test.ts";
const sandbox = "test/serve/mcp/sandbox_test.ts";

/** What a set of flags allows. */
function toRights(flags: readonly string[], run = "–"): MatrixRow["may"] {
  const has = (name: string): string => flags.includes(`--allow-${name}`) ? "all" : "–";
  return { read: has("read"), write: has("write"), net: has("net"), env: has("env"), run };
}

const confined = {
  read: "the workspace, your `config.jsonc`, its own code",
  write: "`.contextfs/`",
  env: mcpVariables.map((name) => `\`${name}\``).join(", "),
  run: "–",
};

/** Every kind of command, the narrowest first. */
export const permissionMatrix: readonly MatrixRow[] = [
  {
    commands: "`mcp`, no provider configured",
    may: { ...confined, net: "–" },
    proofs: [
      { file: providers, test: "a server without a provider has no network at all" },
      {
        file: sandbox,
        test: "the re-executed process can do what the plan says and nothing else",
      },
    ],
  },
  {
    commands: "`mcp`, with a provider: the confined process",
    may: {
      ...confined,
      net: "the provider's host and port",
      env: `${confined.env}, \`OPENAI_API_KEY\``,
    },
    proofs: [{
      file: providers,
      test: "a confined server may connect to the provider's host and port and to nothing else",
    }],
  },
  {
    commands: "`mcp agent`: the confined process",
    may: {
      read: `${confined.read}, your own store`,
      write: `${confined.write}, your own store`,
      net: "the provider's host and port",
      env: `${confined.env}, \`XDG_DATA_HOME\`, \`OPENAI_API_KEY\``,
      run: "–",
    },
    proofs: [{
      file: "test/cli/processes/mcp_agent_test.ts",
      test: "mcp agent offers ask_documents alone and answers with checked sources",
    }],
  },
  {
    commands: "`serve`, `ui`: the confined process",
    may: {
      ...confined,
      net: "its own port on 127.0.0.1; the provider's host and port",
      env: `${confined.env}, \`OPENAI_API_KEY\``,
    },
    proofs: [{
      file: providers,
      test: "a confined server may connect to the provider's host and port and to nothing else",
    }],
  },
  {
    commands: "`serve --remote`: the confined process",
    may: {
      ...confined,
      read: `${confined.read}, \`hub.json\` of your configuration`,
      net: "its own port",
    },
    proofs: [{
      file: providers,
      test:
        "a hub may listen on its port, and it and mcp without a provider may connect to nothing",
    }],
  },
  { commands: toList(localCommands), may: toRights(localFlags), proofs: [starts, denied] },
  {
    commands: toList(selfCommands),
    may: toRights(localFlags, "ctx itself"),
    proofs: [starts, denied, {
      file: "test/binary/setup_check_test.ts",
      test: "setup starts the server that it entered, as the agent will, and shows its answer",
    }, {
      file: "test/commands/lifecycle/import_background_test.ts",
      test: "an import is answered before its vectors and records; nobody waits for those",
    }],
  },
  {
    commands: toList(editorCommands),
    may: toRights(
      localFlags,
      "your `$VISUAL` or `$EDITOR`, else `vi`; on Windows else Notepad, plus `cmd` for an editor script",
    ),
    proofs: [starts, denied, {
      file: "test/commands/memory/edit_entry_test.ts",
      test: "edit opens the editor with the text and saves what was changed as a correction",
    }],
  },
  {
    commands: `${toList(providerCommands)}, no provider configured`,
    may: toRights(localFlags),
    proofs: [starts, denied],
  },
  {
    commands: `${toList(providerCommands)}, with a provider`,
    may: toRights(netFlags),
    proofs: [starts, denied],
  },
  { commands: toList(netCommands), may: toRights(netFlags), proofs: [starts, denied] },
  {
    commands: `${toList(servers)}: the process that starts the confined one`,
    may: toRights(netFlags, "ctx's own Deno"),
    proofs: [starts, denied],
  },
  {
    commands: `${toList(pageServers)}: the process that starts the confined one`,
    may: toRights(netFlags, "ctx's own Deno; what opens a link, where it is there"),
    proofs: [starts, denied],
  },
];

/** The table as Markdown. */
export function toMatrixTable(): string {
  const head = ["command", "read", "write", "net", "env", "run", "proved by"];
  const rows = permissionMatrix.map(({ commands, may, proofs }) => [
    commands,
    may.read,
    may.write,
    may.net,
    may.env,
    may.run,
    proofs.map(({ file, test }) => `\`${file}\`: ${test}`).join("; "),
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n") + "\n";
}

function toList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
