import type { MailRank } from './mail.js';

/** Maximum numbers of waiting messages. Concurrent gateways may exceed each by one. */
export interface MailBounds {
  /** All messages; the margin above `people` is reserved for operators. */
  readonly all: number;
  /** Messages to people who are not operators. */
  readonly people: number;
  /** Replaces `people` for a recipient to whom a message is already waiting; the margin below `people` is reserved for other recipients. */
  readonly repeated: number;
  /** Messages to unverified addresses. */
  readonly unverified: number;
  /** Replaces `unverified` for a recipient at a busy domain; the margin below `unverified` is reserved for other domains. */
  readonly unverifiedOfBusyDomains: number;
  readonly unverifiedOfDomain: number;
  /** From this number of messages to its unverified addresses on, a domain counts as busy. */
  readonly domainIsBusyFrom: number;
}

export const MAIL_BOUNDS: MailBounds = {
  all: 10_000, people: 9000, repeated: 8000, unverified: 1000, unverifiedOfBusyDomains: 750, unverifiedOfDomain: 250, domainIsBusyFrom: 10,
};

export interface WaitingMails {
  readonly operators: number;
  readonly verified: number;
  readonly unverified: number;
  /** Waiting messages to this recipient, of any rank. */
  readonly ofRecipient: number;
  /** Waiting messages to unverified addresses of the recipient's domain. */
  readonly unverifiedOfDomain: number;
}

/** `full` refuses the act that sends the message. `dropped` does not refuse it, because the client must not learn that there is no room. */
export function mailRoomFor(rank: MailRank, waiting: WaitingMails, bounds: MailBounds): 'room' | 'full' | 'dropped' {
  const people = waiting.verified + waiting.unverified;
  const isFull = people + waiting.operators >= bounds.all || (rank !== 'operator' && people >= (waiting.ofRecipient > 0 ? bounds.repeated : bounds.people));
  if (rank !== 'unverified') return isFull ? 'full' : 'room';
  const isBusy = waiting.unverifiedOfDomain >= bounds.domainIsBusyFrom;
  const isCrowded = waiting.unverifiedOfDomain >= bounds.unverifiedOfDomain || waiting.unverified >= (isBusy ? bounds.unverifiedOfBusyDomains : bounds.unverified);
  return isFull || isCrowded ? 'dropped' : 'room';
}
