/** What all gateways together have counted under a name. */
export interface SharedCount {
  readonly total: number;
  /** Until the window ends that began with the first count. */
  readonly endsInMilliseconds: number;
}

/** Adds up what is counted, in windows for each name: a process by itself, or several gateways together. */
export interface SharedCounter {
  /**
   * Adds to a name's count. A window begins with the first count and has the length given then, in whole seconds. A negative number takes back, but never
   * below zero, and begins no window: what it takes back may be of one that is over.
   * Rejects when the others cannot be reached.
   */
  add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount>;
}
