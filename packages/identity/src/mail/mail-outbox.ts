import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { MailBounds } from './mail-bounds.js';
import type { MailRank, StoredMail } from './mail.js';

/** An attempt to deliver; later claims have higher numbers. */
export interface MailClaim {
  readonly id: MailId;
  /** From 1. */
  readonly attempt: number;
}

/** Delay after a failed attempt, by the clock of the trying process. */
export interface MailPause {
  readonly at: Instant;
  readonly until: Instant;
}

/** `failure`: code of the last attempt. */
export type MailEnd = { readonly state: 'delivered' } | { readonly state: 'given-up'; readonly failure: string };

/** `expiresAt` is by the clock of the claiming process. */
export interface ClaimedMail extends StoredMail, MailClaim {}

export interface ClaimMailsCommand {
  readonly at: Instant;
  /** Time after which the messages are due again, unless the claim has ended. */
  readonly leaseExpiresAt: Instant;
  readonly most: number;
  readonly ranks: readonly MailRank[];
}

export interface MailOutboxStatus {
  /** Neither delivered nor given up; includes claimed ones. */
  readonly waiting: number;
  /** When the next message is due, or the lease of a claimed one expires, by the clock of the caller; `null` if none is waiting. */
  readonly nextDueAt: Instant | null;
}

/** For operators; without content. Address and subject are `null` once the message has ended. */
export interface ListedMail {
  readonly id: MailId;
  readonly to: string | null;
  readonly subject: string | null;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  readonly attempts: number;
  /** Kind of failure and the server's numeric codes; `null` if no attempt failed. */
  readonly lastFailure: string | null;
  readonly storedAt: Instant;
  /** Next attempt; `null` once it has ended. */
  readonly dueAt: Instant | null;
  readonly endedAt: Instant | null;
}

/** From acceptance to delivery. Content is erased when a message ends. */
export interface MailOutbox {
  /** Due immediately, if `mailRoomFor` allows it. Exactly one of concurrent calls with one reference is `stored`. Default bounds: `MAIL_BOUNDS`. */
  store(mail: StoredMail, bounds?: MailBounds): Promise<'stored' | 'repeated' | 'full' | 'dropped'>;
  /** Due messages by rank, then by due time, at most one per domain: a domain never has two valid claims. */
  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]>;
  /** Records the failure's code and delays the message. Does nothing for an invalid claim. */
  putOff(claim: MailClaim, pause: MailPause, failure: string): Promise<void>;
  /** Erases the content; the reference stays known. Does nothing for an invalid claim. */
  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void>;
  /** With their references; bounded per call. */
  forget(endedBefore: Instant): Promise<void>;
  status(at: Instant): Promise<MailOutboxStatus>;
  /** Newest first; includes ended messages that are not deleted yet. */
  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]>;
}
