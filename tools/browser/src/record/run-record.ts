/** What gives someone access, or was written to one person. */
export const SECRET_KINDS = ['key', 'password', 'one-time token', 'authenticator secret', 'recovery code', 'session cookie', 'mail body'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** Where none of it belongs. */
export const PLACES = ['log', 'address', 'console', 'cookie', 'localStorage', 'sessionStorage', 'IndexedDB', 'Cache', 'history state', 'download', 'crash report'] as const;
export type Place = (typeof PLACES)[number];

/** A text that was found somewhere. */
export interface Trace {
  readonly place: Place;
  /** What it is of, in words: which log, which file. */
  readonly name: string;
  readonly text: string | Buffer;
}

/** Shorter ones are in texts by chance. */
const SHORTEST = 8;

/** The secrets that a run produced, and the texts that it left where no secret belongs. Equal ones are kept once. */
export class RunRecord {
  readonly #secrets = new Map<SecretKind, Set<string>>();
  readonly #traces = new Map<string, Trace>();

  addSecret(kind: SecretKind, secret: string): void {
    if (secret.length < SHORTEST) return;
    const known = this.#secrets.get(kind) ?? new Set();
    this.#secrets.set(kind, known.add(secret));
  }

  secrets(kind: SecretKind): ReadonlySet<string> {
    return this.#secrets.get(kind) ?? new Set();
  }

  addTrace(trace: Trace): void {
    const { place, name, text } = trace;
    this.#traces.set(`${place}\n${name}\n${typeof text === 'string' ? text : this.#traces.size}`, trace);
  }

  get traces(): readonly Trace[] {
    return [...this.#traces.values()];
  }
}
