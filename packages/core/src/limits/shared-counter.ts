export interface SharedCount {
  readonly total: number;
  readonly endsInMilliseconds: number;
}

/** Counters of one process, or shared by several gateways. */
export interface SharedCounter {
  /**
   * The first addition opens a window of `windowMilliseconds`, which must be whole seconds. A negative number subtracts, to no less than zero, and
   * opens no window: the addition that it reverses may belong to an expired one. Rejects if the shared store is unreachable.
   */
  add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount>;
}
