import type { MailId, StoredMail } from '../mail/mail.js';
import type { Instant } from '../time/instant.js';

/** Names one attempt to deliver a message: a later claim of the same message has a higher number. */
export interface MailClaim {
  readonly id: MailId;
  /** 1 for the first. */
  readonly attempt: number;
}

/** How a message ended; `failure` is the code of the last attempt. */
export type MailEnd = { readonly state: 'delivered' } | { readonly state: 'given-up'; readonly failure: string };

export interface ClaimedMail extends StoredMail, MailClaim {}

export interface ClaimMailsCommand {
  readonly at: Instant;
  /** When the messages are due again for anyone, unless the claim has ended before. */
  readonly leaseExpiresAt: Instant;
  readonly most: number;
}

export interface MailOutboxStatus {
  /** Messages neither delivered nor given up, those being delivered included. */
  readonly waiting: number;
  /** When the first of them is due; for one being delivered, when its lease expires. `null` when none waits. */
  readonly nextDueAt: Instant | null;
}

/** A message as operators see it: never its contents. Address and subject are `null` once it has ended. */
export interface ListedMail {
  readonly id: MailId;
  readonly to: string | null;
  readonly subject: string | null;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  /** Attempts so far. */
  readonly attempts: number;
  /** The kind of the last failure and the server's numeric codes; `null` where no attempt failed. */
  readonly lastFailure: string | null;
  readonly storedAt: Instant;
  /** When a waiting message is tried again; `null` once it has ended. */
  readonly dueAt: Instant | null;
  readonly endedAt: Instant | null;
}

/** Messages between the moment they are handed over and their delivery. The contents of a message are erased when it ends. */
export interface MailOutbox {
  /** Stores a message that is due at once. Of simultaneous calls with one reference exactly one is `stored`; `full` where that many wait already. */
  store(mail: StoredMail, mostWaiting: number): Promise<'stored' | 'repeated' | 'full'>;
  /** Claims messages that are due, oldest due first. No message is under two claims whose leases run. */
  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]>;
  /** Ends a claim whose attempt failed with this code, and makes its message due later. Does nothing if the message was claimed again or has ended. */
  putOff(claim: MailClaim, until: Instant, failure: string): Promise<void>;
  /** Ends a message and erases its contents; its reference stays known. Does nothing if the message was claimed again or has ended. */
  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void>;
  /** Forgets messages that ended before, and their references, a bounded number at a time. */
  forget(endedBefore: Instant): Promise<void>;
  status(): Promise<MailOutboxStatus>;
  /** Newest first, those that have ended and are not forgotten among them. */
  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]>;
}
