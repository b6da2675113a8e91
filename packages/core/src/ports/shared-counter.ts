/** What all gateways together have counted under a name. */
export interface SharedCount {
  readonly total: number;
  /** Until the window ends that began with the first count. */
  readonly endsInMilliseconds: number;
}

/** Adds up what several gateways count, in windows of a minute for each name. */
export interface SharedCounter {
  /** Rejects when the others cannot be reached. */
  add(name: string, units: number): Promise<SharedCount>;
}
