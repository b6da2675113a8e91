import { type AccountId, type ApiKeyId, type Clock, type CreateKeyOutcome, GatewayError, KEY_CREATIONS_PER_HOUR, type KeyRepository, type Plan, secondsUntil } from '@tollgate/core';
import { unknownAddress } from '../../middleware/admit-visitor.js';

type Refusal = Exclude<CreateKeyOutcome, { readonly outcome: 'created' }>;

/** Why no key was created. */
export function creationRefusal(refusal: Refusal, { limits }: Plan, clock: Clock): GatewayError {
  switch (refusal.outcome) {
    case 'expiry-in-the-past':
      return new GatewayError('invalid_request', 'expires_at: must be in the future.', { param: 'expires_at' });
    case 'quota-exceeded':
      return new GatewayError('key_quota_exceeded', `The account has ${limits.activeKeys} active keys, as many as its plan allows. Revoke one first.`);
    case 'too-many-per-hour':
      return new GatewayError('key_creations_exceeded', `The account has created ${KEY_CREATIONS_PER_HOUR} keys within an hour. A key can be rotated at any time.`, {
        retryAfterSeconds: secondsUntil(refusal.retryAt, clock.now()),
      });
  }
}

/** Why a key was not changed, rotated or revoked: the account has none with this id, it has ended, or operators have blocked it. Another account's id is as unknown as none. */
export async function keyRefusal(keys: KeyRepository, accountId: AccountId, id: ApiKeyId): Promise<GatewayError> {
  const key = await keys.findById(accountId, id);
  if (key === null) return unknownAddress();
  if (key.revokedAt !== null) return new GatewayError('conflict', 'The key is revoked.');
  return new GatewayError('conflict', key.blocked ? 'The key is blocked. Ask the operator.' : 'The key has expired.');
}
