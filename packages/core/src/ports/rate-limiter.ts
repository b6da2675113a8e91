import type { AccountId } from '../primitives.js';
import type { Admission, AdmissionEnd, AdmissionTicket, Demand } from '../limits/admission.js';
import type { BindingLimits, QuotaSnapshot } from '../limits/quota-snapshot.js';

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

/** What all gateways together have counted under a name. */
export interface SharedCount {
  readonly total: number;
  /** Until the window ends that began with the first count. */
  readonly endsInMilliseconds: number;
}

/** Adds up what is counted, in windows for each name: a process by itself, or several gateways together. */
export interface SharedCounter {
  /**
   * Adds to a name's count. A window begins with the first count and has the length given then, in whole seconds. A negative number takes back, but never
   * below zero, and begins no window: what it takes back may be of one that is over.
   * Rejects when the others cannot be reached.
   */
  add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount>;
}
