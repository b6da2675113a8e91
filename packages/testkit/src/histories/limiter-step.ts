import { type Demand, type IncidentLimit, type Instant, type ModelSlug, type PlanLimits, tokenCount } from '@tollgate/core';
import * as fc from 'fast-check';
import { AN_INCIDENT, WIDE_LIMITS } from '../contracts/rate-limiter/rate-limiter-subject.js';

/** No incident limit, one that limits everything, or one of another model that limits tokens alone. */
export type IncidentName = 'none' | 'tight' | 'tokens';

type EndKind = 'undone' | 'unserved' | 'served';

/** One thing that can happen to a limiter, on one account. */
export type LimiterStep =
  | { readonly do: 'admit'; readonly kind: Demand['kind']; readonly tokens: number; readonly limits: 'narrow' | 'wide'; readonly incident: IncidentName }
  /** Operators set the incident limits once more. */
  | { readonly do: 'set incidents' }
  | { readonly do: 'release'; readonly which: number; readonly how: EndKind; readonly tokens: number }
  /** Releases once more what was released before, otherwise than the first time. */
  | { readonly do: 'release again'; readonly which: number; readonly how: Exclude<EndKind, 'served'> }
  | { readonly do: 'wait'; readonly milliseconds: number };

/** Two plans: one whose every limit is met soon, one whose limits are met sometimes. */
export const LIMITS: Readonly<Record<'narrow' | 'wide', PlanLimits>> = {
  narrow: {
    ...WIDE_LIMITS, requestsPerMinute: 4, tokensPerMinute: tokenCount(60), concurrentRequests: 3,
    tokensPerDay: tokenCount(150), tokensPerMonth: tokenCount(260),
  },
  wide: { ...WIDE_LIMITS, requestsPerMinute: 9, tokensPerMinute: tokenCount(150), concurrentRequests: 5 },
};

/** The incident limits, as they were set for the given time. */
export function incidentLimits(setting: number): Readonly<Record<IncidentName, IncidentLimit | null>> {
  const setAt = setting as Instant;
  return {
    none: null,
    tight: { ...AN_INCIDENT, setAt, requestsPerMinute: 3, tokensPerMinute: tokenCount(50), concurrentRequests: 2 },
    tokens: { ...AN_INCIDENT, setAt, model: 'large' as ModelSlug, tokensPerMinute: tokenCount(40) },
  };
}

/** Waits that often end exactly on, or next to, the end of a window, a day or a month. */
const WAITS = fc.oneof(
  fc.integer({ min: 0, max: 61_000 }),
  fc.constantFrom(59_999, 60_000, 60_001, 120_000, 3_600_000, 43_200_000, 86_400_000, 86_400_000 * 12),
);

const tokens = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most });
const kind = fc.constantFrom<Demand['kind'][]>('generation', 'generation', 'generation', 'count');
const incident = fc.constantFrom<IncidentName[]>('none', 'tight', 'tight', 'tokens');
const how = fc.constantFrom<EndKind[]>('undone', 'unserved', 'served');

/** Any step; admissions are the most likely. */
export const limiterStep: fc.Arbitrary<LimiterStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('admit' as const), kind, tokens: tokens(40), limits: fc.constantFrom('narrow' as const, 'wide' as const), incident }) },
  { weight: 1, arbitrary: fc.constant({ do: 'set incidents' as const }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(10), how, tokens: tokens(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release again' as const), which: fc.nat(10), how: fc.constantFrom('undone' as const, 'unserved' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: WAITS }) },
);
