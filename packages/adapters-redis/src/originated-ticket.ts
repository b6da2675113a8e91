import { type AdmissionTicket, invariant } from '@tollgate/core';

/** The shared limiter, or the number of the outage whose local limiter admitted the request. */
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
