import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { MailBounds } from './mail-bounds.js';
import type { MailRank, StoredMail } from './mail.js';

/** An attempt to deliver a message; later claims have higher numbers. */
export interface MailClaim {
  readonly id: MailId;
  /** From 1. */
  readonly attempt: number;
}

/** The delay after a failed attempt, by the clock of the trying process. */
export interface MailPause {
  readonly at: Instant;
  readonly until: Instant;
}

/** `failure` is the code of the last attempt. */
export type MailEnd = { readonly state: 'delivered' } | { readonly state: 'given-up'; readonly failure: string };

/** `expiresAt` is by the clock of the claiming process. */
export interface ClaimedMail extends StoredMail, MailClaim {}

export interface ClaimMailsCommand {
  readonly at: Instant;
  /** The messages are due again after this time unless the claim has ended. */
  readonly leaseExpiresAt: Instant;
  readonly most: number;
  readonly ranks: readonly MailRank[];
}

export interface MailOutboxStatus {
  /** Messages neither delivered nor given up, including claimed ones. */
  readonly waiting: number;
  /**
   * When the next message is due, by the clock of the calling process; for a claimed one, when its lease expires. `null` if none
   * is waiting.
   */
  readonly nextDueAt: Instant | null;
}

/** For operators: without content. Address and subject are `null` once the message has ended. */
export interface ListedMail {
  readonly id: MailId;
  readonly to: string | null;
  readonly subject: string | null;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  readonly attempts: number;
  /** The kind of failure and the server's numeric codes; `null` if no attempt failed. */
  readonly lastFailure: string | null;
  readonly storedAt: Instant;
  /** The next attempt of a waiting message; `null` once it has ended. */
  readonly dueAt: Instant | null;
  readonly endedAt: Instant | null;
}

/** Messages from acceptance to delivery. Content is erased when a message ends. */
export interface MailOutbox {
  /**
   * Stores a message that is due immediately if `mailRoomFor` allows it. Of concurrent calls with one reference, exactly one is
   * `stored`. Default bounds: `MAIL_BOUNDS`.
   */
  store(mail: StoredMail, bounds?: MailBounds): Promise<'stored' | 'repeated' | 'full' | 'dropped'>;
  /** Claims due messages by rank, then by due time, at most one per domain: a domain never has two valid claims. */
  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]>;
  /** Records the failure's code and delays the message. Does nothing if the claim is no longer valid. */
  putOff(claim: MailClaim, pause: MailPause, failure: string): Promise<void>;
  /** Erases the content; the reference stays known. Does nothing if the claim is no longer valid. */
  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void>;
  /** Deletes ended messages and their references, a bounded number per call. */
  forget(endedBefore: Instant): Promise<void>;
  status(at: Instant): Promise<MailOutboxStatus>;
  /** Newest first; includes ended messages that are not deleted yet. */
  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]>;
}
