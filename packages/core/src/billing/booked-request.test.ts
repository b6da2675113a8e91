import { describe, expect, it } from '@jest/globals';
import { chargeOf, explainCharge, NO_TOKENS, NO_USAGE, parseTokenRate, perRate, type RequestFacts, ServiceTokens, TOKEN_CLASSES, tokenCount, type UsageRecord } from '../index.js';

const FACTS: RequestFacts = {
  requestId: 'req_1' as RequestFacts['requestId'],
  accountId: 'acct_1' as RequestFacts['accountId'],
  keyId: null,
  format: 'chat',
  streamed: false,
  requestedModel: 'm',
  attribution: null,
  usdPerServiceToken: parseTokenRate('0.001'),
  startedAt: 0 as RequestFacts['startedAt'],
};

function aRecord(overrides: Partial<UsageRecord>): UsageRecord {
  return {
    ...FACTS,
    reason: 'completed',
    service: {
      servedBy: 'm' as NonNullable<UsageRecord['service']>['servedBy'],
      upstreamId: 'scripted',
      fallbackUsed: false,
      priceVersion: null,
      price: {
        ...perRate(() => parseTokenRate('0')),
        promptToken: parseTokenRate('0.0000015'),
        cachedPromptToken: parseTokenRate('0.0000001'),
        cacheCreationToken: parseTokenRate('0.000002'),
        outputToken: parseTokenRate('0.01'),
      },
    },
    usage: {
      ...NO_USAGE, uncachedPromptTokens: tokenCount(3), cachedPromptTokens: tokenCount(4), reasoningTokens: tokenCount(1), visibleOutputTokens: tokenCount(2),
    },
    firstOutputAt: null,
    endedAt: 1 as UsageRecord['endedAt'],
    settledAt: 1 as UsageRecord['endedAt'],
    charge: chargeOf(ServiceTokens.parse('0.030005'), FACTS.usdPerServiceToken),
    writeOff: ServiceTokens.ZERO,
    purchase: null,
    ...overrides,
  };
}

describe('the explanation of a charge', () => {
  it('states count × rate for each token class, the exact sum, and the rounding', () => {
    const explanation = explainCharge(aRecord({}));
    expect(explanation.lines.map(({ tokenClass, count, amount }) => [tokenClass, count, amount])).toEqual(TOKEN_CLASSES.map(({ name }) => [name, ...{ uncached_prompt: [3, '0.0000045'], cached_prompt: [4, '0.0000004'], output: [3, '0.03'] }[name as string] ?? [NO_TOKENS, '0']]));
    expect(explanation.sum).toBe('0.0300049');
    expect(explanation.rounding).toBe('0.0000001');
    expect(explanation.computed.toString()).toBe('0.030005');
  });

  it('has no lines for a request that no model served', () => {
    const explanation = explainCharge(aRecord({ service: null, usage: NO_USAGE }));
    expect(explanation).toMatchObject({ lines: [], sum: '0', rounding: '0' });
    expect(explanation.computed.isZero()).toBe(true);
  });
});
