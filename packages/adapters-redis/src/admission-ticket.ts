import { type AccountId, type AdmissionTicket, type Demand, type Instant, invariant, type ModelSlug } from '@tollgate/core';
import type { IncidentName } from './limiter-keys.js';

export interface IncidentContent extends IncidentName {
  /** Start of the account's window for the incident limit; `null` or 0 as in `TicketContent`. */
  readonly windowStartedAt: number | null;
}

/**
 * Everything that a release requires, so that any process can release the ticket. `member` is the name of the slot, and ends in the number of
 * admitted tokens.
 */
export interface TicketContent {
  readonly accountId: AccountId;
  readonly kind: Demand['kind'];
  readonly member: string;
  readonly tokens: number;
  /**
   * Start of the account's window in Unix milliseconds. If the admission's reply was lost: `null` in the release that is sent at once, which corrects
   * the window that is then open; 0 in a later release, which corrects no window.
   */
  readonly windowStartedAt: number | null;
  readonly incident: IncidentContent | null;
}

/** Format: `kind:window:name:tokens:incident:account`. Only the account may contain colons. */
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

/** Format: `setting/window/model`, with colons of the model escaped. */
function encodeIncident({ model, setAt, windowStartedAt }: IncidentContent): string {
  return `${setAt}/${windowStartedAt ?? ''}/${encodeURIComponent(model)}`;
}

function decodeStart(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
