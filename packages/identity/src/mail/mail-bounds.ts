import type { MailRank } from './mail.js';

/** How many messages may wait for delivery. Gateways that store at the same time may exceed a bound by one each. */
export interface MailBounds {
  /** All messages. What this leaves beyond `people` is for operators. */
  readonly all: number;
  /** Those that are not for operators. */
  readonly people: number;
  /** Those that are not for operators, for a further message to a recipient for whom one waits. What this leaves of `people` is for other recipients. */
  readonly repeated: number;
  /** Those for addresses that are not verified. */
  readonly unverified: number;
  /** The same, for a domain that is busy. What this leaves of `unverified` is for other domains. */
  readonly unverifiedOfBusyDomains: number;
  readonly unverifiedOfDomain: number;
  /** A domain is busy while so many messages wait for its addresses that are not verified. */
  readonly domainIsBusyFrom: number;
}

export const MAIL_BOUNDS: MailBounds = {
  all: 10_000, people: 9000, repeated: 8000, unverified: 1000, unverifiedOfBusyDomains: 750, unverifiedOfDomain: 250, domainIsBusyFrom: 10,
};

/** Numbers of messages that wait. */
export interface WaitingMails {
  readonly operators: number;
  readonly verified: number;
  readonly unverified: number;
  /** Of any rank, for the recipient of the message in question. */
  readonly ofRecipient: number;
  /** For addresses of the recipient's domain that are not verified. */
  readonly unverifiedOfDomain: number;
}

/** Whether a message finds room: `full` refuses the act that sends it; `dropped` does not, since the client must not learn of it. */
export function mailRoomFor(rank: MailRank, waiting: WaitingMails, bounds: MailBounds): 'room' | 'full' | 'dropped' {
  const people = waiting.verified + waiting.unverified;
  const isFull = people + waiting.operators >= bounds.all || (rank !== 'operator' && people >= (waiting.ofRecipient > 0 ? bounds.repeated : bounds.people));
  if (rank !== 'unverified') return isFull ? 'full' : 'room';
  const isBusy = waiting.unverifiedOfDomain >= bounds.domainIsBusyFrom;
  const isCrowded = waiting.unverifiedOfDomain >= bounds.unverifiedOfDomain || waiting.unverified >= (isBusy ? bounds.unverifiedOfBusyDomains : bounds.unverified);
  return isFull || isCrowded ? 'dropped' : 'room';
}
