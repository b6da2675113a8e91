/** Keyed hashes of mail addresses: the same for the same address for ever, and without the key they tell nothing of it. */
export interface AddressHashes {
  /** The address is folded. One hash under each key of the installation's secret, the one in force first. */
  of(email: string): readonly string[];
}
