import type { AccountId, Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { MailBounds } from './mail-bounds.js';
import type { MailName } from './mail-names.js';
import type { MailRank, StoredMail } from './mail.js';

/** Maximum number of ended messages that are kept, besides those whose references must still be remembered. */
export const MAX_TRACED_MAILS = 100_000;

/** The right to attempt a delivery; later claims have higher numbers. */
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
  /** Time at which the messages are due again, unless they were finished or put off. */
  readonly leaseExpiresAt: Instant;
  readonly most: number;
  readonly ranks: readonly MailRank[];
}

export interface MailOutboxStatus {
  /** Messages neither delivered nor given up, including claimed ones. */
  readonly waiting: number;
  /** When the next message is due, or the lease of a claimed one expires, by the clock of the caller; `null` if none is waiting. */
  readonly nextDueAt: Instant | null;
}

export type MailState = 'waiting' | 'delivered' | 'given-up';

/** A message as operators see it, without its content. */
export interface ListedMail {
  readonly id: MailId;
  readonly kind: MailName;
  readonly accountId: AccountId | null;
  readonly to: string;
  /** `null` once the message has ended. */
  readonly subject: string | null;
  readonly state: MailState;
  readonly attempts: number;
  /** Kind of failure and the server's numeric codes; `null` if no attempt failed. */
  readonly lastFailure: string | null;
  readonly storedAt: Instant;
  /** Time of the next attempt; `null` once the message has ended. */
  readonly dueAt: Instant | null;
  readonly endedAt: Instant | null;
}

/** `null` in a field matches any message. */
export interface MailFilter {
  readonly state: MailState | null;
  readonly kind: MailName | null;
  /** Also finds mail to the account's address that belongs to no account. */
  readonly accountId: AccountId | null;
  /** A part of the recipient's address, ignoring case. */
  readonly to: string | null;
}

export const ANY_MAIL: MailFilter = { state: null, kind: null, accountId: null, to: null };

/** The last message of a page. */
export type MailPosition = Pick<ListedMail, 'id' | 'storedAt'>;

export interface MailQuery {
  readonly limit: number;
  readonly after: MailPosition | null;
  /** Default: all messages. */
  readonly filter?: MailFilter;
}

/** Maximum number of messages of one kind to one address that were stored after `since`. */
export interface MailPace {
  readonly most: number;
  readonly since: Instant;
}

export type MailStoring = 'stored' | 'repeated' | 'full' | 'dropped';

/** Keeps each message from its acceptance until operators no longer trace it. Content is erased when a message ends. */
export interface MailOutbox {
  /**
   * Stores a message if `mailRoomFor` allows it; it is due immediately. Exactly one of concurrent calls with the same reference is `stored`. Default
   * bounds: `MAIL_BOUNDS`.
   */
  store(mail: StoredMail, bounds?: MailBounds): Promise<MailStoring>;
  /** Like `store`, but stores nothing beyond `pace`, not even in concurrent calls. The outcome is then `too-many`. */
  storeWithin(mail: StoredMail, pace: MailPace): Promise<MailStoring | 'too-many'>;
  /** Claims due messages by rank, then by due time, at most one per domain: a domain never has two valid claims. */
  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]>;
  /** Records the failure's code and delays the message. Does nothing for an invalid claim. */
  putOff(claim: MailClaim, pause: MailPause, failure: string): Promise<void>;
  /** Ends the message and erases its content; its reference and address are kept. Does nothing for an invalid claim. */
  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void>;
  /**
   * Deletes messages that ended before `traced`, with their addresses and references. If more than `most` ended messages are kept (default:
   * `MAX_TRACED_MAILS`), also deletes the oldest of them that ended before `remembered`. Bounded per call; returns the number deleted.
   */
  forget(ended: { readonly traced: Instant; readonly remembered: Instant; readonly most?: number }): Promise<number>;
  status(at: Instant): Promise<MailOutboxStatus>;
  /** Lists messages, newest first, including ended ones that are not deleted yet. */
  list(query: MailQuery): Promise<readonly ListedMail[]>;
  find(id: MailId): Promise<ListedMail | null>;
}
