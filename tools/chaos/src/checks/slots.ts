/** Held slots, of an account by the shared limiter or of a gateway by its own metrics. */
export interface SlotCount {
  readonly holder: string;
  /** `requests` counts running requests. */
  readonly what: 'slots' | 'requests';
  readonly held: number;
  readonly limit: number;
}

export class SeenSlots {
  #most = 0;

  /** Maximum number seen; if it stays 0, the check observes the wrong thing. */
  get most(): number {
    return this.#most;
  }

  /** I13: accounts with more slots than exist. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I13: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I13: accounts with slots or reserved amounts after the last request. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I13: ${holder} still holds ${held} ${what}`);
}
