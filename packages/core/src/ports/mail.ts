import type { Mail, MailId, MailRank, StoredMail } from '../mail/mail.js';
import type { MailBounds } from '../mail/mail-bounds.js';
import type { Instant } from '../time.js';

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

/** A message on its way. The same id and time give the same Message-ID and Date, so that a recipient's server can recognise a repetition. */
export type OutgoingMail = Omit<Mail, 'reference' | 'rank'> & { readonly id: MailId; readonly storedAt: Instant };

/** Why a message was not delivered. */
export interface MailFailure {
  /** What logs may show: the kind of failure and the server's numeric codes, such as `ECONNREFUSED` or `550 5.1.1`. */
  readonly code: string;
  /** The reply in full. It may repeat the address or parts of the message, so it is for the sender's eyes only. */
  readonly explanation: string;
}

export type MailOutcome =
  /** `place` says where the message went: a server or a file; never an address. */
  | { readonly outcome: 'delivered'; readonly place: string }
  /** The server refuses this message for good. */
  | { readonly outcome: 'refused'; readonly failure: MailFailure }
  /** A later attempt may succeed. */
  | { readonly outcome: 'failed'; readonly failure: MailFailure };

/** Delivers messages to where the settings say. */
export interface MailTransport {
  /** Never rejects because of the network, a server or a disk: that is an outcome. */
  deliver(mail: OutgoingMail): Promise<MailOutcome>;
  /** Closes its connections, also those in use. */
  close(): Promise<void>;
}

/** Takes messages for delivery. */
export interface Mailer {
  /**
   * Hands a message over, once per reference: repeating a reference changes nothing. Resolves when the message is stored, not when it is delivered.
   * Throws `MailRefused` when it is malformed, too large, or too many messages wait.
   */
  send(mail: Mail): Promise<void>;
}
