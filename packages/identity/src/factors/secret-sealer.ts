export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** True if it was sealed under the previous key and must be sealed again before that key is removed. */
  readonly outdated: boolean;
}

/** Encrypts secrets that the store keeps. */
export interface SecretSealer {
  /** Bound to the owner. Two seals of one secret differ. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` if it was sealed for another owner, under an unknown key, or was modified. */
  open(sealed: string, owner: string): OpenedSecret | null;
}
