/** Stable keyed hashes of mail addresses, which reveal nothing without the key. */
export interface AddressHashes {
  /** `email` must be folded. One hash per key of the installation's secret, the current one first. */
  of(email: string): readonly string[];
}
