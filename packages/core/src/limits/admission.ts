import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';
import type { LimitFigures, LimitName, QuotaSnapshot } from '../errors/refusal-details.js';
import type { PlanLimits } from '../models/plan.js';
import { type AccountId, assertNever, type Brand, type ModelSlug, type RequestId, type TokenCount } from '../primitives/primitives.js';
import { secondsUntil, startOfNextUtcDay, startOfNextUtcMonth } from '../primitives/time.js';
import { type ExceededLimit, limitOf, type UsedLimit, wantedOf } from './decide-admission.js';
import type { IncidentLimit } from './incident-limit.js';
import { quotaOf, type QuotaReading, windowEnd } from './quota-snapshot.js';

/** What one request asks of an account's limits. */
export interface Demand {
  readonly accountId: AccountId;
  readonly requestId: RequestId;
  /** The plan's limits, which count all requests of the account. */
  readonly limits: PlanLimits;
  /** The limit in force for the requested model, which counts the account's generations by this model alone; `null` where there is none. */
  readonly incident: IncidentLimit | null;
  /** `count` uses up one request of the minute and nothing else. */
  readonly kind: 'generation' | 'count';
  /** Prompt estimate and expected output together. */
  readonly tokens: TokenCount;
}

/** Names an admission, so that what it took can be given back. */
export type AdmissionTicket = Brand<string, 'AdmissionTicket'>;

export type Admission =
  | { readonly admitted: true; readonly ticket: AdmissionTicket; readonly quota: QuotaSnapshot }
  | {
    readonly admitted: false;
    readonly limit: LimitName;
    /** The model whose incident limit has no room; `null` where it is the plan's. */
    readonly incidentModel: ModelSlug | null;
    /** At least 1. */
    readonly retryAfterSeconds: number;
    /** The demand is larger than the whole limit: waiting does not help. */
    readonly neverFits: boolean;
    /** For the log. */
    readonly figures: LimitFigures;
    readonly quota: QuotaSnapshot;
  };

/** How an admitted request ended, as far as limits care. */
export type AdmissionEnd =
  /** Refused by a later gate: everything is given back. */
  | { readonly kind: 'undone' }
  /** No upstream could serve it: the request stays counted, the tokens are given back. */
  | { readonly kind: 'unserved' }
  /** Served: the day and the month count the tokens really used. */
  | { readonly kind: 'served'; readonly tokens: TokenCount };

/** Seconds after which a slot is worth asking for again. */
const SLOT_RETRY_SECONDS = 2;

/** The refusal of a demand, whatever keeps the counts. */
export function refusedAdmission(exceeded: UsedLimit, demand: Demand, reading: QuotaReading): Extract<Admission, { admitted: false }> {
  const { limit, owner, used } = exceeded;
  const figures: LimitFigures = { maximum: limitOf(exceeded, demand), used, wanted: wantedOf(exceeded, demand) };
  return {
    admitted: false,
    limit,
    incidentModel: owner === 'incident' ? demand.incident?.model ?? null : null,
    retryAfterSeconds: secondsToWait(exceeded, demand, reading),
    neverFits: figures.wanted > figures.maximum,
    figures,
    quota: quotaOf(demand, reading),
  };
}

function secondsToWait({ limit, owner }: ExceededLimit, { incident }: Demand, reading: QuotaReading): number {
  const { now } = reading;
  switch (limit) {
    case 'requests-per-minute':
    case 'tokens-per-minute': return secondsUntil(windowEnd(reading[owner], now, owner === 'incident' ? incident : null), now);
    case 'concurrent-requests': return SLOT_RETRY_SECONDS;
    case 'tokens-per-day': return secondsUntil(startOfNextUtcDay(now), now);
    case 'tokens-per-month': return secondsUntil(startOfNextUtcMonth(now), now);
    default: return assertNever(limit);
  }
}

interface Refusal {
  readonly code: ErrorCode;
  /** What there are too many of, by a plan's limit and by an incident limit of one model. */
  readonly plan: string;
  readonly incident: string;
}

const REFUSALS: Readonly<Record<LimitName, Refusal>> = {
  'requests-per-minute': { code: 'rate_limit_exceeded', plan: 'Too many requests per minute for your plan.', incident: 'too many requests per minute to it.' },
  'tokens-per-minute': { code: 'tokens_per_minute_exceeded', plan: 'Too many tokens per minute for your plan.', incident: 'too many tokens per minute to it.' },
  'concurrent-requests': {
    code: 'concurrency_limit_exceeded', plan: 'Too many requests at the same time for your plan.', incident: 'too many requests to it at the same time.',
  },
  'tokens-per-day': { code: 'daily_limit_exceeded', plan: 'The daily token cap of your plan is reached.', incident: 'its daily token cap is reached.' },
  'tokens-per-month': { code: 'monthly_limit_exceeded', plan: 'The monthly token cap of your plan is reached.', incident: 'its monthly token cap is reached.' },
};

/** The error a refused admission becomes; its message says whether the plan's limit refused or the model's. */
export function limitRefusal(admission: Extract<Admission, { admitted: false }>): GatewayError {
  const { limit, incidentModel, neverFits, figures, retryAfterSeconds, quota } = admission;
  const { code, plan, incident } = REFUSALS[limit];
  const message = incidentModel === null ? plan : `The model ${incidentModel} is limited for now: ${incident}`;
  const end = incidentModel === null ? 'can never fit' : 'cannot fit while it is in force';
  const text = neverFits ? `${message} This request is larger than the whole limit and ${end}.` : message;
  return new GatewayError(code, text, { retryAfterSeconds, isPermanent: neverFits, quota, exceeded: { limit, incidentModel, ...figures } });
}
