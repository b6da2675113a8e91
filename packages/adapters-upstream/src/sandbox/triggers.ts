/** One `[[name]]` or `[[name:value]]` of a message. */
export interface Trigger {
  readonly name: string;
  /** Empty when there was none. */
  readonly value: string;
}

const TRIGGER = /\[\[([a-z]{1,20})(?::([^[\]]{0,100}))?\]\]/g;
/** All names that mean something. */
export const TRIGGER_NAMES: ReadonlySet<string> = new Set([
  'tokens', 'reasoning', 'tool', 'tools', 'json', 'latency', 'pace', 'stop', 'fail', 'refuse', 'usage', 'cached',
]);

/** What a message asks of the sandbox, and its text without that. */
export class Triggers {
  readonly #triggers: readonly Trigger[];
  /** The message without its triggers. */
  readonly text: string;

  constructor(message: string) {
    this.#triggers = [...message.matchAll(TRIGGER)].map(([, name = '', value = '']) => ({ name, value: value.trim() }));
    this.text = message.replaceAll(TRIGGER, '').trim();
  }

  has(name: string): boolean {
    return this.#triggers.some((trigger) => trigger.name === name);
  }

  /** The values of all triggers of that name, in order. */
  values(name: string): readonly string[] {
    return this.#triggers.filter((trigger) => trigger.name === name).map(({ value }) => value);
  }

  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }

  /** The value as a whole number from 0 to `most`; `null` when it is missing or none. */
  count(name: string, most: number): number | null {
    const value = this.value(name);
    return value === null || !/^\d{1,9}$/.test(value) ? null : Math.min(most, Number(value));
  }

  /** Names that mean nothing, so that a reply can say so. */
  get unknown(): readonly string[] {
    return this.#triggers.map(({ name }) => name).filter((name) => !TRIGGER_NAMES.has(name));
  }
}
