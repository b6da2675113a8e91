import { type AccountId, type AdmissionTicket, type Demand, type Instant, invariant, type ModelSlug } from '@tollgate/core';
import type { IncidentName } from './limiter-keys.js';

export interface IncidentContent extends IncidentName {
  /** Start of the account's window. */
  readonly windowStartedAt: number | null;
}

/** Contains everything that a release needs, so that any process can release it. `member` is the slot's name and ends in the admitted tokens. */
export interface TicketContent {
  readonly accountId: AccountId;
  readonly kind: Demand['kind'];
  readonly member: string;
  readonly tokens: number;
  /** In Unix milliseconds; `null` if the admission's reply was lost. */
  readonly windowStartedAt: number | null;
  readonly incident: IncidentContent | null;
}

/** `kind:window:name:tokens:incident:account`; only the account may contain colons. */
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

/** `setting/window/model`, without colons in the model. */
function encodeIncident({ model, setAt, windowStartedAt }: IncidentContent): string {
  return `${setAt}/${windowStartedAt ?? ''}/${encodeURIComponent(model)}`;
}

function decodeStart(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
