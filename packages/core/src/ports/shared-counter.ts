/** What all gateways together have counted under a name. */
export interface SharedCount {
  readonly total: number;
  /** Until the window ends that began with the first count. */
  readonly endsInMilliseconds: number;
}

/** Adds up what is counted, in windows for each name: a process by itself, or several gateways together. */
export interface SharedCounter {
  /**
   * Adds to a name's count; a negative number takes back. A window begins with the first count and has the length given then, in whole seconds.
   * Rejects when the others cannot be reached.
   */
  add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount>;
}
