import type { AccountId, Brand, ModelSlug, RequestId, TokenCount } from '../ids.js';
import type { IncidentLimit } from '../platform/platform-snapshot.js';
import type { PlanLimits } from '../plans/plan.js';
import type { QuotaSnapshot } from './quota-snapshot.js';

export type LimitName = 'requests-per-minute' | 'tokens-per-minute' | 'concurrent-requests' | 'tokens-per-day' | 'tokens-per-month';

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
    readonly quota: QuotaSnapshot;
  };

/** How an admitted request ended, as far as limits care. */
export type AdmissionEnd =
  /** Refused by a later gate: everything is given back. */
  | { readonly kind: 'undone' }
  /** Nobody could serve it: the request stays counted, the tokens are given back. */
  | { readonly kind: 'unserved' }
  /** Served: the day and the month count the tokens really used. */
  | { readonly kind: 'served'; readonly tokens: TokenCount };
