import { isIP } from 'node:net';
import {
  NO_PROMPT_PARTS, perRate, type CatalogueContents, type IncidentLimit, instant, type Model, type ModelSlug, parseTokenRate, type Plan, type PlanId, type PlanLimits,
  type PlatformSnapshot, type PlatformState, type RecordedMaintenance, type ReportedUsage, ServiceTokens, STANDARD_PLANS, type TokenCount,
  tokenCount,
} from '@tollgate/core';
import { MANUAL_CLOCK_START } from '@tollgate/adapters-memory';
import { endStep, type Gate, type ProviderScript, textSteps } from '@tollgate/testkit';

export const TEST_PLAN = 'test' as PlanId;

/** 0.001 service tokens per prompt token, 0.002 per output token. */
export function aModel(slug: string, overrides: Partial<Model> = {}): Model {
  return {
    slug: slug as ModelSlug,
    displayName: slug,
    ownedBy: 'tests',
    createdAt: MANUAL_CLOCK_START,
    aliases: [],
    contextWindowTokens: tokenCount(8000),
    maxOutputTokens: tokenCount(1000),
    enforcesMaxTokens: true,
    reasoning: false,
    reasoningAssumed: false,
    simulated: false,
    price: {
      ...perRate(() => parseTokenRate('0.001')),
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

/** A plan without the model `other-plan`. */
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

/** Reported by the upstream for every reply. */
export const REPORTED_USAGE: ReportedUsage = {
  ...NO_PROMPT_PARTS, promptTokens: 9, cachedPromptTokens: 2, outputTokens: 3, reasoningTokens: 0, totalTokens: 12,
};

export function textReply(...pieces: readonly string[]): ProviderScript {
  return { steps: [...textSteps(...pieces), endStep(REPORTED_USAGE)] };
}

/** A reply that continues after its first piece when the gate opens. */
export function haltedReply(gate: Gate, ...pieces: readonly string[]): ProviderScript {
  const [first, ...rest] = textSteps('Hello', ...pieces, '!');
  return { steps: [...(first === undefined ? [] : [first]), { type: 'wait', gate }, ...rest, endStep(REPORTED_USAGE)] };
}

const UNTIL_ENDED: RecordedMaintenance = { startsAt: instant(0), endsAt: null, message: null, setBy: null, setAt: instant(0) };

/** A state of the platform that tests set. */
export class TestPlatform implements PlatformState {
  maintenance = false;
  readonly blockedAddresses = new Set<string>();
  readonly incidentLimits = new Map<ModelSlug, IncidentLimit>();

  current(): PlatformSnapshot {
    return {
      maintenance: this.maintenance ? UNTIL_ENDED : null,
      nextBlockEndsAt: null,
      incidentLimits: this.incidentLimits,
      isNetworkBlocked: (address) => this.blockedAddresses.has(address) || (this.blockedAddresses.size > 0 && isIP(address) === 0),
    };
  }
}
