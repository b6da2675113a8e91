import type { QuotaSnapshot } from '../errors/refusal-details.js';
import type { AccountId } from '../primitives/primitives.js';
import type { Admission, AdmissionEnd, AdmissionTicket, Demand } from './admission.js';
import type { BindingLimits } from './quota-snapshot.js';

/**
 * Counts what accounts ask for. Windows of requests and tokens last 60 s from the account's first request in them;
 * days and months are UTC. Checks requests, tokens, concurrency, day, month in this order, each by the plan and then by the incident limit.
 * The window of an incident limit begins with the account's first request to the model after the limit was set.
 */
export interface RateLimiter {
  /** Slots that running requests of this process hold, as far as it knows. */
  readonly heldSlots: number;
  /** All limits or none: a refusal consumes nothing. */
  admit(demand: Demand): Promise<Admission>;
  /** Frees the slot and corrects what was counted. Repeating it changes nothing. */
  release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void>;
  /** What the headers would say now, without asking for anything. */
  quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot>;
}
