// Opens a link in the person's browser once a server answers at it; where that cannot be, the link was
// printed and nothing is said.

const tries = 200;
const waitMs = 50;

/** Waits for the server and has the link opened, by the program that the launcher found. */
export async function openInBrowser(link: string): Promise<void> {
  const program = Deno.env.get("CTX_OPENER");
  if (!program || (Deno.build.os === "linux" && !hasScreen())) return;
  const { hostname, port } = new URL(link);
  for (let i = 0; i < tries; i++) {
    await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, waitMs)));
    try {
      (await Deno.connect({ hostname, port: Number(port) })).close();
      // Without a terminal: a text browser, where there is no other, would draw over what stands there.
      const streams = { stdin: "null", stdout: "null", stderr: "null", detached: true } as const;
      new Deno.Command(program, { args: [link], ...streams }).spawn().unref();
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) return;
    }
  }
}

/** Whether there is a screen to open it on; elsewhere a browser might open in the terminal. */
function hasScreen(): boolean {
  return ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some((name) => Deno.env.get(name));
}
