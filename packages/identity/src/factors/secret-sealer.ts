export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** True if the secret was sealed under the previous key: seal it again before that key is removed. */
  readonly outdated: boolean;
}

export interface SecretSealer {
  /** Encrypts a secret, bound to the owner. Sealing the same secret twice gives different texts. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` if the secret was sealed for another owner or under an unknown key, or was modified. */
  open(sealed: string, owner: string): OpenedSecret | null;
}
