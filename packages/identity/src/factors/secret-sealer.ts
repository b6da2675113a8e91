export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** True if sealed under the previous key: seal it again before that key is removed. */
  readonly outdated: boolean;
}

export interface SecretSealer {
  /** Bound to the owner. Two seals of one secret differ. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` if sealed for another owner or under an unknown key, or modified. */
  open(sealed: string, owner: string): OpenedSecret | null;
}
