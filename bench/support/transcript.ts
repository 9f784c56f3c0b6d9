// Writes Claude Code transcripts of any size in all, with the mix of real ones: two fifths of the bytes
// are structured tool results, a fifth tool results, a twentieth prose (FORMATS, 1.9).

const words =
  "the session store reads entries from a log and keeps an index of terms with postings for each field while tests check that nothing is lost"
    .split(" ");

const sessionBytes = 1e6;

/** Writes a tree of transcripts, a megabyte each, of about `size` bytes in all. */
export function writeTranscripts(root: string, size: number): void {
  const directory = `${root}/-work-app`;
  Deno.mkdirSync(directory, { recursive: true });
  for (let session = 0; session * sessionBytes < size; session++) {
    const id = `${String(session).padStart(8, "0")}-2222-4333-8444-555555555555`;
    writeTranscript(`${directory}/${id}.jsonl`, id);
  }
}

function writeTranscript(path: string, session: string): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  let written = 0;
  for (let turn = 0; written < sessionBytes; turn++) {
    const lines = turnLines(turn, session).map((line) => JSON.stringify(line) + "\n").join("");
    let rest = encoder.encode(lines);
    written += rest.length;
    while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
  }
}

function turnLines(turn: number, session: string): object[] {
  const id = `${session.slice(0, 8)}-${turn}`;
  const line = (step: number, type: string, rest: object): object => ({
    parentUuid: `${id}-${step - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/work/app",
    sessionId: session,
    version: "2.1.80",
    gitBranch: "main",
    type,
    ...rest,
    uuid: `${id}-${step}`,
    timestamp: new Date(1.75e12 + turn * 60_000 + step * 1000).toISOString(),
  });
  const said = (step: number, content: object): object =>
    line(step, "assistant", {
      message: {
        id: `msg_${id}`,
        model: "claude-sample",
        role: "assistant",
        content: [content],
        usage: { input_tokens: 1000, output_tokens: step * 10 },
      },
    });
  const output = code(turn, 120);
  const result = line(5, "user", {
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `t${id}`, content: output }],
    },
  });
  return [
    line(1, "user", { message: { role: "user", content: prose(turn, 30) } }),
    said(2, { type: "thinking", thinking: prose(turn + 1, 40), signature: "s".repeat(300) }),
    said(3, { type: "text", text: prose(turn + 2, 60) }),
    said(4, {
      type: "tool_use",
      id: `t${id}`,
      name: "Edit",
      input: {
        file_path: `/work/app/src/file${turn % 50}.ts`,
        old_string: code(turn, 6),
        new_string: code(turn + 1, 8),
      },
    }),
    { ...result, toolUseResult: { filePath: "/work/app/src/a.ts", originalFile: output + output } },
    line(6, "progress", { data: { type: "hook_progress", output: prose(turn, 10) } }),
  ];
}

function prose(seed: number, count: number): string {
  return Array.from({ length: count }, (_, i) => words[(seed * 7 + i * 13) % words.length]).join(
    " ",
  );
}

function code(seed: number, lines: number): string {
  return Array.from({ length: lines }, (_, i) => {
    const name = words[(seed + i) % words.length];
    return `  const ${name}${i} = read(${i * seed % 997}, "${
      words[(seed + 3 * i) % words.length]
    }");`;
  }).join("\n");
}
