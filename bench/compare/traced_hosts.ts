// Which hosts a program tries to reach, by strace: the names that it asks for, and addresses that are
// not of this machine. Nothing is kept from it.

/** The words before a command that trace it into a file. */
export function tracedBy(file: string): string[] {
  const calls = "trace=connect,sendto,sendmmsg";
  return ["strace", "-f", "-q", "--seccomp-bpf", "-s", "300", "-e", calls, "-o", file];
}

/** Whether there is a strace. */
export async function hasStrace(): Promise<boolean> {
  try {
    return (await new Deno.Command("strace", { args: ["-V"] }).output()).success;
  } catch {
    return false;
  }
}

/** The hosts in a trace. */
export function readHosts(path: string): string[] {
  const hosts = new Set<string>();
  const text = Deno.readTextFileSync(path);
  for (const [, data] of text.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
    const name = findName(unescape(data));
    if (name !== undefined) hosts.add(name);
  }
  // An address behind a name is that of the name.
  if (hosts.size > 0) return [...hosts].sort();
  for (const [, port, host] of text.matchAll(/htons\((\d+)\).*?inet_addr\("([^"]+)"\)/g)) {
    if (port !== "53" && port !== "0" && !/^(127\.|0\.)/.test(host)) hosts.add(host);
  }
  return [...hosts].sort();
}

/** The name in a question of DNS: labels behind a header of twelve bytes. */
function findName(bytes: string): string | undefined {
  if (bytes.length < 17 || bytes.slice(4, 6) !== "\0\x01") return undefined;
  const labels: string[] = [];
  let at = 12;
  while (bytes.charCodeAt(at) > 0) {
    const length = bytes.charCodeAt(at);
    labels.push(bytes.slice(at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join(".");
  if (bytes[at] !== "\0" || !/^[\w.-]+\.[a-z]{2,}$/i.test(name)) return undefined;
  // No page of the project names a registry's host.
  return /^registry\.npm/.test(name) ? "npm's registry" : name;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f" };

function unescape(text: string): string {
  return text.replaceAll(
    /\\([0-7]{1,3}|.)/g,
    (_, item) => /\d/.test(item) ? String.fromCharCode(parseInt(item, 8)) : escapes[item] ?? item,
  );
}
