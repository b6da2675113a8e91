import type { AccountId } from '../ids.js';
import type { Admission, AdmissionEnd, AdmissionTicket, Demand } from '../limits/admission.js';
import type { QuotaSnapshot } from '../limits/quota-snapshot.js';
import type { PlanLimits } from '../plans/plan.js';

/**
 * Counts what accounts ask for. Windows of requests and tokens last 60 s from the account's first request in them;
 * days and months are UTC. Checks requests, tokens, concurrency, day, month in this order.
 */
export interface RateLimiter {
  /** Slots that running requests of this process hold, as far as it knows. */
  readonly heldSlots: number;
  /** All limits or none: a refusal consumes nothing. */
  admit(demand: Demand): Promise<Admission>;
  /** Frees the slot and corrects what was counted. Repeating it changes nothing. */
  release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void>;
  /** What the headers would say now, without asking for anything. */
  quota(accountId: AccountId, limits: PlanLimits): Promise<QuotaSnapshot>;
}
