import { type AccountId, type AdmissionTicket, type Demand, invariant } from '@tollgate/core';

/**
 * What a ticket says. It holds all that a release needs, so any process can send it and none has to remember it.
 * `member` is the slot's name, and ends in the tokens that the request was admitted for.
 */
export interface TicketContent {
  readonly accountId: AccountId;
  readonly kind: Demand['kind'];
  readonly member: string;
  readonly tokens: number;
  /** Start of the window the request counts in, in Unix milliseconds; `null` when the admission's answer was lost. */
  readonly windowStartedAt: number | null;
}

/** `kind:window:name:tokens:account`; the account comes last because only it may hold colons. */
export function encodeTicket({ accountId, kind, member, windowStartedAt }: TicketContent): AdmissionTicket {
  return `${kind}:${windowStartedAt ?? ''}:${member}:${accountId}` as AdmissionTicket;
}

const TICKET = /^(generation|count):(\d*):([^:]+:(\d+)):(.+)$/s;

export function decodeTicket(ticket: AdmissionTicket): TicketContent {
  const [, kind, startedAt, member, tokens, accountId] = TICKET.exec(ticket) ?? [];
  invariant(kind !== undefined && member !== undefined, 'a ticket comes from the admission that made it');
  return {
    accountId: accountId as AccountId,
    kind: kind as Demand['kind'],
    member,
    tokens: Number(tokens),
    windowStartedAt: startedAt === '' ? null : Number(startedAt),
  };
}
