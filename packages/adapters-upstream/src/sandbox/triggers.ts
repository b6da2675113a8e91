/** A trigger in a message: `[[name]]` or `[[name:value]]`. */
export interface Trigger {
  readonly name: string;
  /** Value of the trigger; empty if it has none. */
  readonly value: string;
}

const TRIGGER = /\[\[([a-z]{1,20})(?::([^[\]]{0,100}))?\]\]/g;
export const TRIGGER_NAMES: ReadonlySet<string> = new Set([
  'tokens', 'reasoning', 'tool', 'tools', 'json', 'latency', 'pace', 'stop', 'fail', 'refuse', 'usage', 'cached',
]);

/** Triggers of a message, and the text without them. */
export class Triggers {
  readonly #triggers: readonly Trigger[];
  readonly text: string;

  constructor(message: string) {
    this.#triggers = [...message.matchAll(TRIGGER)].map(([, name = '', value = '']) => ({ name, value: value.trim() }));
    this.text = message.replaceAll(TRIGGER, '').trim();
  }

  has(name: string): boolean {
    return this.#triggers.some((trigger) => trigger.name === name);
  }

  values(name: string): readonly string[] {
    return this.#triggers.filter((trigger) => trigger.name === name).map(({ value }) => value);
  }

  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }

  /** The trigger's value as a number, or `most` if that is lower; `null` if the value is missing or invalid. */
  count(name: string, most: number): number | null {
    const value = this.value(name);
    return value === null || !/^\d{1,9}$/.test(value) ? null : Math.min(most, Number(value));
  }

  /** Names that are no trigger; the reply reports them. */
  get unknown(): readonly string[] {
    return this.#triggers.map(({ name }) => name).filter((name) => !TRIGGER_NAMES.has(name));
  }
}
