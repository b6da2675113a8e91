import {
  type CatalogueContents, type Model, type ModelSlug, parseTokenRate, type Plan, type PlanId, type PlanLimits, ServiceTokens, STANDARD_PLANS,
  type TokenCount, tokenCount,
} from '@tollgate/core';
import { MANUAL_CLOCK_START } from '@tollgate/adapters-memory';

export const TEST_PLAN = 'test' as PlanId;

/** A model of the tests; a prompt token costs 0.001 service tokens, an output token 0.002. */
export function aModel(slug: string, overrides: Partial<Model> = {}): Model {
  return {
    slug: slug as ModelSlug,
    displayName: slug,
    ownedBy: 'tests',
    createdAt: MANUAL_CLOCK_START,
    aliases: [],
    contextWindowTokens: tokenCount(8000),
    maxOutputTokens: tokenCount(1000),
    reasoning: false,
    reasoningAssumed: false,
    simulated: false,
    price: {
      promptToken: parseTokenRate('0.001'),
      cachedPromptToken: parseTokenRate('0.0001'),
      cacheCreationToken: parseTokenRate('0.0015'),
      outputToken: parseTokenRate('0.002'),
    },
    targets: [{ upstreamId: 'scripted', upstreamModel: slug }],
    fallbacks: [],
    ...overrides,
  };
}

const LIMITS: PlanLimits = {
  requestsPerMinute: 60,
  tokensPerMinute: tokenCount(200_000),
  concurrentRequests: 4,
  maxContextTokens: tokenCount(128_000),
  activeKeys: 5,
  tokensPerDay: null,
  tokensPerMonth: null,
};

/** The plan the test account is on; the model `other-plan` is not in it. */
export function aPlan(limits: Partial<PlanLimits> = {}): Plan {
  return { id: TEST_PLAN, name: 'Test', limits: { ...LIMITS, ...limits }, excludedModels: new Set(['other-plan' as ModelSlug]) };
}

export function testCatalogue(limits: Partial<PlanLimits> = {}): CatalogueContents {
  return {
    models: [
      aModel('small', { aliases: ['mini', 'little-*'] }),
      aModel('halting'),
      aModel('flooding', { contextWindowTokens: 40_000_000 as TokenCount, maxOutputTokens: 30_000_000 as TokenCount }),
      aModel('backed-up', { fallbacks: ['small' as ModelSlug] }),
      aModel('other-plan'),
      aModel('makers/slashed'),
      aModel('tiny-window', { contextWindowTokens: 60 as TokenCount, maxOutputTokens: 20 as TokenCount }),
    ],
    plans: [aPlan(limits), ...STANDARD_PLANS],
    usdPerServiceToken: parseTokenRate('0.001'),
    minimumReservation: ServiceTokens.parse('1'),
  };
}
