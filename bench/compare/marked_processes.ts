// What a tool takes with all its processes, daemons too: each inherits a mark in its environment.
// Linux only; a process that lives less than a tenth of a second may be missed.

const everyMs = 100;
const ticksPerSecond = 100;

/** Watches the processes with a mark. */
export class MarkedProcesses {
  readonly #mark: string;
  readonly #isOurs = new Map<number, boolean>();
  readonly #cpu = new Map<number, number>();
  readonly #timer: ReturnType<typeof setInterval>;
  #peakKb = 0;
  #start = 0;

  constructor(mark: string) {
    this.#mark = mark;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  /** Begins anew, with the processes that are there. */
  begin(): void {
    this.#look();
    this.#peakKb = 0;
    this.#start = this.#total();
  }

  /** Since it began: the most memory (shared parts by share) and the processor time. */
  read(): { peakMb: number; cpuS: number } {
    this.#look();
    const cpuS = (this.#total() - this.#start) / ticksPerSecond;
    return { peakMb: Math.round(this.#peakKb / 1024), cpuS };
  }

  /** Ends them all. */
  end(): void {
    this.#look();
    clearInterval(this.#timer);
    for (const [pid, isOurs] of this.#isOurs) {
      if (isOurs && this.#hasMark(pid)) kill(pid);
    }
  }

  #total(): number {
    return [...this.#cpu.values()].reduce((sum, ticks) => sum + ticks, 0);
  }

  #look(): void {
    let kb = 0;
    for (const { name } of Deno.readDirSync("/proc")) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      const isOurs = this.#isOurs.get(pid) ?? this.#hasMark(pid);
      this.#isOurs.set(pid, isOurs);
      if (!isOurs) continue;
      kb += Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
      const fields = readText(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
      if (fields.length > 12) this.#cpu.set(pid, Number(fields[11]) + Number(fields[12]));
    }
    this.#peakKb = Math.max(this.#peakKb, kb);
  }

  #hasMark(pid: number): boolean {
    return readText(`/proc/${pid}/environ`).split("\0").includes(`CTX_COMPARE=${this.#mark}`);
  }
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
