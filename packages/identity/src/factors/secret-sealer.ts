/** A secret as it was before it was sealed. */
export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** Sealed under the key before the present one, so it should be sealed again before that key is removed. */
  readonly outdated: boolean;
}

/** Encrypts what a store keeps and must be able to use again. */
export interface SecretSealer {
  /** What is sealed for one owner opens for no other. Two seals of one secret differ. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` when it was sealed for another owner or under a key that is not known here, or was changed. */
  open(sealed: string, owner: string): OpenedSecret | null;
}
