/**
 * Stands for the signature of thinking that its upstream did not sign. Clients keep and return thinking only
 * when it bears one; what it says means nothing to them.
 */
export const UNSIGNED = 'dG9sbGdhdGUtdW5zaWduZWQ=';

/** The signature to show for a canonical one. */
export function encodeSignature(signature: string | null): string {
  return signature ?? UNSIGNED;
}

/** The canonical signature for what a client sent back: any is taken, and ours or none means unsigned. */
export function decodeSignature(signature: string | null): string | null {
  return signature === null || signature === '' || signature === UNSIGNED ? null : signature;
}
