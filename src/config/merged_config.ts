// The configuration as it is asked: each value, and which of the places it was set in won.

import type { CtxError } from "../core/errors.ts";
import { configKeys, type ConfigName, type ConfigValue } from "./config_keys.ts";

/** Where a value comes from. */
export type ConfigOrigin = "default" | "user" | "workspace" | "environment";

/** The targets that were approved, by workspace. */
export type Trust = ReadonlyMap<string, ReadonlySet<string>>;

/** The merged configuration. */
export class Config {
  readonly #values = new Map<ConfigName, Setting>();
  readonly #below = new Map<ConfigName, Setting | undefined>();
  /** Where the user lets memory be sent. */
  trust: Trust = new Map();
  /** Why a file was left out: it cannot be settings. */
  problem?: CtxError;

  get<N extends ConfigName>(name: N): ConfigValue<N> {
    return (this.#values.get(name)?.value ?? configKeys[name].default) as ConfigValue<N>;
  }

  /** Where the value in force was set. */
  originOf(name: ConfigName): ConfigOrigin {
    return this.#values.get(name)?.origin ?? "default";
  }

  set(name: ConfigName, value: unknown, origin: ConfigOrigin): void {
    // A file can name a key twice: below it is the value of the place before.
    if (this.originOf(name) !== origin) this.#below.set(name, this.#values.get(name));
    this.#values.set(name, { value, origin });
  }

  /** The value from before the last place that set it. */
  below<N extends ConfigName>(name: N): ConfigValue<N> {
    return (this.#below.get(name)?.value ?? configKeys[name].default) as ConfigValue<N>;
  }

  /** Goes back to the value of `below`. */
  withhold(name: ConfigName): void {
    const before = this.#below.get(name);
    if (before === undefined) this.#values.delete(name);
    else this.#values.set(name, before);
  }
}

interface Setting {
  value: unknown;
  origin: ConfigOrigin;
}
