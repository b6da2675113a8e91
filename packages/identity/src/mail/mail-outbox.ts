import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { MailBounds } from './mail-bounds.js';
import type { MailRank, StoredMail } from './mail.js';

/** Names one attempt to deliver a message: a later claim of the same message has a higher number. */
export interface MailClaim {
  readonly id: MailId;
  /** 1 for the first. */
  readonly attempt: number;
}

/** How long a message waits after a failed attempt, by the clock of the process that tried it. */
export interface MailPause {
  readonly at: Instant;
  readonly until: Instant;
}

/** How a message ended; `failure` is the code of the last attempt. */
export type MailEnd = { readonly state: 'delivered' } | { readonly state: 'given-up'; readonly failure: string };

/** `expiresAt` is by the clock of the process that claimed it. */
export interface ClaimedMail extends StoredMail, MailClaim {}

export interface ClaimMailsCommand {
  readonly at: Instant;
  /** When the messages are due again for anyone, unless the claim has ended before. */
  readonly leaseExpiresAt: Instant;
  readonly most: number;
  /** Ranks that may be claimed. */
  readonly ranks: readonly MailRank[];
}

export interface MailOutboxStatus {
  /** Messages neither delivered nor given up, those being delivered included. */
  readonly waiting: number;
  /** When the first of them is due, by the clock of the process that asks; for one being delivered, when its lease expires. `null` when none waits. */
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
  /**
   * Stores a message that is due at once, if it finds room by `mailRoomFor`. Of simultaneous calls with one reference exactly one is `stored`.
   * The bounds are `MAIL_BOUNDS` unless others are given.
   */
  store(mail: StoredMail, bounds?: MailBounds): Promise<'stored' | 'repeated' | 'full' | 'dropped'>;
  /** Claims messages that are due, by rank, then oldest due first, at most one for each domain: no two messages for one domain are under claims whose leases run. */
  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]>;
  /** Ends a claim whose attempt failed with this code, and makes its message due later. Does nothing if the message was claimed again or has ended. */
  putOff(claim: MailClaim, pause: MailPause, failure: string): Promise<void>;
  /** Ends a message and erases its contents; its reference stays known. Does nothing if the message was claimed again or has ended. */
  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void>;
  /** Forgets messages that ended before, and their references, a bounded number at a time. */
  forget(endedBefore: Instant): Promise<void>;
  status(at: Instant): Promise<MailOutboxStatus>;
  /** Newest first, those that have ended and are not forgotten among them. */
  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]>;
}
