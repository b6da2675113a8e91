import type { AccountId, ApiKeyId } from '../ids.js';
import type { Instant } from '../time/instant.js';

/** The key of an account's playground: an id to book its requests under, and no secret, so that nothing authenticates with it. An account has at most one. */
export interface PlaygroundKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly createdAt: Instant;
  readonly blocked: boolean;
}
