import type { QuotaSnapshot } from '../errors/refusal-details.js';
import type { AccountId } from '../primitives/ids.js';
import type { Admission, AdmissionEnd, AdmissionTicket, Demand } from './admission.js';
import type { BindingLimits } from './quota-snapshot.js';

/**
 * Windows of requests and tokens last 60 s from the account's first request; days and months are UTC. Limits are checked in this order: requests,
 * tokens, concurrency, day, month; for each, the plan's before the incident limit. An incident limit's window opens with the account's first request
 * to the model after the limit was set.
 */
export interface RateLimiter {
  /** Slots that this process holds. */
  readonly heldSlots: number;
  /** Atomic: a refusal consumes nothing. */
  admit(demand: Demand): Promise<Admission>;
  /** Frees the slot and corrects the counts. Idempotent. */
  release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void>;
  /** For the rate-limit headers; consumes nothing. */
  quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot>;
}
