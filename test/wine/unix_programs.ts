// Lets programs under Wine use git: they start unix_program.c, which asks us to start Linux's git.

/** Serves the programs; disposing ends it. */
export function serveUnixPrograms(drives: Record<string, string>): Deno.TcpListener {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  void (async () => {
    for await (const connection of listener) void serve(connection, drives).catch(() => {});
  })();
  return listener;
}

async function serve(connection: Deno.TcpConn, drives: Record<string, string>): Promise<void> {
  using _open = connection;
  const frames = readFrames(connection);
  const asked: Record<string, string[]> = { p: [], d: [], a: [], e: [] };
  for await (const { kind, bytes } of frames) {
    if (kind === "!") break;
    asked[kind].push(new TextDecoder().decode(bytes));
  }
  const turn = (word: string): string =>
    word.replace(
      /^((?:--?[\w-]+=|\w+=)?(?:file:\/\/(?=\/))?)\/?([a-z]):[\\/](.*)$/is,
      (whole, before, drive, rest) => {
        const root = drives[drive.toUpperCase()];
        return root === undefined ? whole : `${before}${root}/${rest.replaceAll("\\", "/")}`;
      },
    );
  const variables = Object.fromEntries(
    asked.e.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );
  const named = Object.entries(variables).filter(([name]) => /^(?:GIT_\w+|TZ|LANG)$/.test(name));
  const words = asked.a.map(turn);
  const cwd = turn(asked.d[0]);
  const child = new Deno.Command(/([^\\/]+)\.exe$/i.exec(asked.p[0])![1], {
    args: words,
    cwd,
    env: {
      ...Object.fromEntries(named.map(([name, value]) => [name, turn(value)])),
      HOME: turn(variables.HOME ?? variables.USERPROFILE ?? "Z:/"),
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines = connection.writable.getWriter();
  const send = (kind: string, bytes: Uint8Array): Promise<void> => lines.write(frame(kind, bytes));
  const pump = async (kind: string, from: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const bytes of from) await send(kind, bytes);
  };
  // Until the program under Wine ends: a connection that is closed before takes back what was sent.
  const feeding = feed(frames, child.stdin);
  await Promise.all([pump("o", child.stdout), pump("s", child.stderr)]);
  const { code } = await child.status;
  if (words.includes("worktree")) await nameDrives(words, cwd);
  await send("x", Uint8Array.of(code));
  await feeding;
}

/** A repository names its worktrees by whole paths, which Git for Windows begins with a drive. */
async function nameDrives(words: string[], cwd: string): Promise<void> {
  const at = words[words.indexOf("-C") + 1];
  const place = !words.includes("-C") ? cwd : at.startsWith("/") ? at : `${cwd}/${at}`;
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const { stdout } = await new Deno.Command("git", { args, cwd: place }).output();
  const list = `${new TextDecoder().decode(stdout).trim()}/worktrees`;
  for (const { name } of Deno.readDirSync(list)) {
    const path = `${list}/${name}/gitdir`;
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(/^\//, "Z:/"));
  }
}

async function feed(
  frames: AsyncIterable<{ kind: string; bytes: Uint8Array }>,
  input: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = input.getWriter();
  for await (const { kind, bytes } of frames) {
    // A program that ended needs no more of it.
    await (kind === "." ? writer.close() : writer.write(bytes)).catch(() => {});
  }
}

function frame(kind: string, bytes: Uint8Array): Uint8Array {
  const made = new Uint8Array(5 + bytes.length);
  made[0] = kind.charCodeAt(0);
  new DataView(made.buffer).setUint32(1, bytes.length, true);
  made.set(bytes, 5);
  return made;
}

/** The frames of a connection, one after another; whoever stops reading may go on later. */
function readFrames(connection: Deno.TcpConn): AsyncIterable<{ kind: string; bytes: Uint8Array }> {
  const reader = connection.readable.getReader({ mode: "byob" });
  const take = async (size: number): Promise<Uint8Array | undefined> => {
    if (size === 0) return new Uint8Array();
    return (await reader.read(new Uint8Array(size), { min: size })).value;
  };
  const next = async () => {
    const head = await take(5);
    const bytes = head?.length === 5
      ? await take(new DataView(head.buffer).getUint32(1, true))
      : undefined;
    return head === undefined || bytes === undefined
      ? { done: true as const, value: undefined }
      : { done: false as const, value: { kind: String.fromCharCode(head[0]), bytes } };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
