/** Stable, keyed hashes of addresses, which reveal nothing without the key. */
export interface AddressHashes {
  /** One hash per key of the installation's secret, the current key's first. `email` must be folded. */
  of(email: string): readonly string[];
}
