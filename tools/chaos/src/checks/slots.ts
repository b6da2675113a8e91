/** Held slots that must be released: of an account by the shared count, or of a gateway by its own. */
export interface SlotCount {
  readonly holder: string;
  /** Slots, or requests that are being answered. */
  readonly what: 'slots' | 'requests';
  readonly held: number;
  readonly limit: number;
}

/** What was seen of slots. */
export class SeenSlots {
  #most = 0;

  /** The largest count observed: one that never exceeds 0 observes the wrong thing. */
  get most(): number {
    return this.#most;
  }

  /** I13: accounts that hold more slots than exist. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I13: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I13: accounts that still hold an amount or a slot after the last request. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I13: ${holder} still holds ${held} ${what}`);
}
