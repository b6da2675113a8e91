/** Number of slots that are held: by an account, according to the shared limiter, or at a gateway, according to its metrics. */
export interface SlotCount {
  readonly holder: string;
  /** Whether slots are counted, or running requests. */
  readonly what: 'slots' | 'requests';
  readonly held: number;
  readonly limit: number;
}

export class SeenSlots {
  #most = 0;

  /** Largest number seen. If it stays 0, the check looks at the wrong thing. */
  get most(): number {
    return this.#most;
  }

  /** I13: holders with more slots than their limit. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I13: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I13: holders that still have slots or running requests after the last request. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I13: ${holder} still holds ${held} ${what}`);
}
