import { type Account, type AccountId, type ApiKey, type ApiKeyId, instant, type KeyHash, PAY_AS_YOU_GO } from '@tollgate/core';

/** A verified account in good standing that pays as it goes. */
export function anAccount(differences: Partial<Account> = {}): Account {
  return {
    id: 'acct_alice' as AccountId,
    email: 'alice@example.test',
    name: 'Alice',
    planId: PAY_AS_YOU_GO,
    status: 'active',
    emailVerified: true,
    blocked: false,
    deletion: null,
    createdAt: instant(0),
    ...differences,
  };
}

/** An active key of that account, without an expiry date. */
export function anApiKey(differences: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1' as ApiKeyId,
    accountId: 'acct_alice' as AccountId,
    name: null,
    hash: '0'.repeat(64) as KeyHash,
    hint: 'sk-00…0000',
    createdAt: instant(0),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    blocked: false,
    models: null,
    limit: null,
    lineage: differences.id ?? 'key_1' as ApiKeyId,
    ...differences,
  };
}
