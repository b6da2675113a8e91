import { type AccountId, type AdmissionTicket, type Demand, type Instant, invariant, type ModelSlug } from '@tollgate/core';
import type { IncidentName } from './limiter-keys.js';

/** Where a request counts for an incident limit. */
export interface IncidentContent extends IncidentName {
  /** As that of the account's window. */
  readonly windowStartedAt: number | null;
}

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
  readonly incident: IncidentContent | null;
}

/** `kind:window:name:tokens:incident:account`; the account comes last because only it may hold colons. */
export function encodeTicket({ accountId, kind, member, windowStartedAt, incident }: TicketContent): AdmissionTicket {
  return `${kind}:${windowStartedAt ?? ''}:${member}:${incident === null ? '' : encodeIncident(incident)}:${accountId}` as AdmissionTicket;
}

const TICKET = /^(generation|count):(\d*):([^:]+:(\d+)):(?:(\d+)\/(\d*)\/([^:]+))?:(.+)$/s;

export function decodeTicket(ticket: AdmissionTicket): TicketContent {
  const [, kind, startedAt, member, tokens, setAt, incidentStartedAt, model, accountId] = TICKET.exec(ticket) ?? [];
  invariant(kind !== undefined && member !== undefined, 'a ticket comes from the admission that made it');
  return {
    accountId: accountId as AccountId,
    kind: kind as Demand['kind'],
    member,
    tokens: Number(tokens),
    windowStartedAt: decodeStart(startedAt),
    incident: model === undefined ? null : {
      model: decodeURIComponent(model) as ModelSlug, setAt: Number(setAt) as Instant, windowStartedAt: decodeStart(incidentStartedAt),
    },
  };
}

/** `setting/window/model`, with no colon in the model. */
function encodeIncident({ model, setAt, windowStartedAt }: IncidentContent): string {
  return `${setAt}/${windowStartedAt ?? ''}/${encodeURIComponent(model)}`;
}

function decodeStart(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** Which limiter made a ticket: the shared one, or the local one of an outage. */
export type TicketOrigin = 'shared' | number;

export interface OriginatedTicket {
  readonly origin: TicketOrigin;
  readonly ticket: AdmissionTicket;
}

export function markTicket({ origin, ticket }: OriginatedTicket): AdmissionTicket {
  return `${origin}/${ticket}` as AdmissionTicket;
}

export function unmarkTicket(marked: AdmissionTicket): OriginatedTicket {
  const end = marked.indexOf('/');
  invariant(end > 0, 'a ticket comes from the admission that made it');
  const origin = marked.slice(0, end);
  return { origin: origin === 'shared' ? 'shared' : Number(origin), ticket: marked.slice(end + 1) as AdmissionTicket };
}
