import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';
import type { LimitFigures, LimitName, QuotaSnapshot } from '../errors/refusal-details.js';
import type { PlanLimits } from '../models/plan.js';
import type { AccountId, ModelSlug, RequestId } from '../primitives/ids.js';
import { assertNever } from '../primitives/assert-never.js';
import type { Brand } from '../primitives/brand.js';
import type { TokenCount } from '../primitives/token-count.js';
import { secondsUntil, startOfNextUtcDay, startOfNextUtcMonth } from '../primitives/time.js';
import { type ExceededLimit, limitOf, type UsedLimit, wantedOf } from './decide-admission.js';
import type { IncidentLimit } from './incident-limit.js';
import { quotaOf, type QuotaReading, windowEnd } from './quota-snapshot.js';

export interface Demand {
  readonly accountId: AccountId;
  readonly requestId: RequestId;
  /** Limits that all requests of the account share. */
  readonly limits: PlanLimits;
  /** Limit of the account's generations with the requested model; `null` without an incident limit. */
  readonly incident: IncidentLimit | null;
  /** `count`: counts against the requests per minute and no other limit. */
  readonly kind: 'generation' | 'count';
  /** Estimated prompt plus expected output. */
  readonly tokens: TokenCount;
}

/** Identifies the admission when it is released. */
export type AdmissionTicket = Brand<string, 'AdmissionTicket'>;

export type Admission =
  | { readonly admitted: true; readonly ticket: AdmissionTicket; readonly quota: QuotaSnapshot }
  | {
    readonly admitted: false;
    readonly limit: LimitName;
    /** `null` if the plan's limit refused. */
    readonly incidentModel: ModelSlug | null;
    /** At least 1. */
    readonly retryAfterSeconds: number;
    /** The demand exceeds the whole limit: retrying does not help. */
    readonly neverFits: boolean;
    /** For the log. */
    readonly figures: LimitFigures;
    readonly quota: QuotaSnapshot;
  };

export type AdmissionEnd =
  /** A later check refused the request: everything is released. */
  | { readonly kind: 'undone' }
  /** No upstream served the request: it stays counted, its tokens are released. */
  | { readonly kind: 'unserved' }
  /** The day and the month count the tokens used. */
  | { readonly kind: 'served'; readonly tokens: TokenCount };

const SLOT_RETRY_SECONDS = 2;

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
  /** Message if a limit of the plan refuses. `incident`: end of the message if an incident limit refuses. */
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

/** The message says whether the plan's or the incident limit refused. */
export function limitRefusal(admission: Extract<Admission, { admitted: false }>): GatewayError {
  const { limit, incidentModel, neverFits, figures, retryAfterSeconds, quota } = admission;
  const { code, plan, incident } = REFUSALS[limit];
  const message = incidentModel === null ? plan : `The model ${incidentModel} is limited for now: ${incident}`;
  const end = incidentModel === null ? 'can never fit' : 'cannot fit while it is in force';
  const text = neverFits ? `${message} This request is larger than the whole limit and ${end}.` : message;
  return new GatewayError(code, text, { retryAfterSeconds, isPermanent: neverFits, quota, exceeded: { limit, incidentModel, ...figures } });
}
