// What was checked of one client, in order.

/** One thing that must hold. */
export interface ClientCheck {
  name: string;
  ok: boolean;
  /** What was seen: a figure where it holds, the reason where it does not. */
  seen: string;
}

/** The checks of one client. */
export class ClientChecks {
  readonly checks: ClientCheck[] = [];

  add(name: string, ok: boolean, seen: string, detail?: string): void {
    this.checks.push({ name, ok, seen: ok || detail === undefined ? seen : `${seen}: ${detail}` });
  }

  same(name: string, is: unknown, should: unknown): void {
    const [one, other] = [JSON.stringify(is), JSON.stringify(should)];
    this.add(name, one === other, one === other ? "equal" : `${one} is not ${other}`);
  }
}
