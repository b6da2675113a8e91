/** Stable and keyed; reveal nothing without the key. */
export interface AddressHashes {
  /** `email` must be folded. One per key of the installation's secret, the current one first. */
  of(email: string): readonly string[];
}
