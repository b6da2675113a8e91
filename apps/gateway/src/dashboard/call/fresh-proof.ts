import { GatewayError } from '@tollgate/core';

/** Those who have neither password nor factor sign in again: with a passkey, at the issuer, or by a new link of an operator's. */
export function freshProofRequired(): GatewayError {
  return new GatewayError('fresh_proof_required', 'Enter your password or second factor once more for this, or sign in again.');
}
