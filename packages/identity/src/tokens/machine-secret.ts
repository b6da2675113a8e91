export const MACHINE_SECRET_PREFIX = 'tgm_';
/** Random characters after the prefix. */
export const MACHINE_SECRET_RANDOM_LENGTH = 48;
const PATTERN = /^tgm_[A-Za-z0-9]{48}$/;
const REDACTED = 'tgm_[redacted]';

/** `toString` and `toJSON` return `tgm_[redacted]`, against accidental logging. */
export class MachineSecret {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `null` if the text does not have the form of a secret. */
  static parse(text: string): MachineSecret | null {
    return PATTERN.test(text) ? new MachineSecret(text) : null;
  }

  /** Plaintext, for hashing and for showing it once. */
  reveal(): string {
    return this.#text;
  }

  /** The first six and the last four characters. */
  hint(): string {
    return `${this.#text.slice(0, MACHINE_SECRET_PREFIX.length + 2)}…${this.#text.slice(-4)}`;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}
