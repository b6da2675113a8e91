/** What somebody holds that has to be given back: an account by the shared count, or a gateway by its own. */
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

  /** The most that anybody was ever seen to hold: a count that is never above 0 looks at the wrong thing. */
  get most(): number {
    return this.#most;
  }

  /** I10: who holds more slots than there are. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I10: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I10: who still holds anything although nobody asks for anything any more. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I10: ${holder} still holds ${held} ${what}`);
}
