import { type AccountId, type ApiKeyId, instant, parseTokenRate, type RequestFacts, type RequestId } from '@tollgate/core';

/** Facts of a streamed chat request of `acct_alice` for `small`, at one US cent per service token. */
export function requestFacts(differences: Partial<RequestFacts> = {}): RequestFacts {
  return {
    requestId: 'req_1' as RequestId,
    accountId: 'acct_alice' as AccountId,
    keyId: 'key_1' as ApiKeyId,
    format: 'chat',
    streamed: true,
    requestedModel: 'small',
    attribution: null,
    usdPerServiceToken: parseTokenRate('0.01'),
    startedAt: instant(Date.UTC(2026, 10, 18, 12)),
    ...differences,
  };
}
