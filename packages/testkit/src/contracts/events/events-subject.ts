import { type AccountEvent, type AccountId, type BalanceAlerts, type EventLog, type EventPage, type EventQuery, type EventType, ServiceTokens } from '@tollgate/core';
import type { ErasureSubject } from '../accounts/account-erasure-contract.js';

/** One empty store with its event log. */
export interface EventsSubject extends ErasureSubject {
  readonly events: EventLog;
  readonly alerts: BalanceAlerts;
}

/** Query for all events of the feed. */
export const ALL_EVENTS: EventQuery = { after: null, limit: 1_000, types: null, accountId: null };

/** Reads a page of events. Throws if the log returns anything else. */
export async function readPage(events: EventLog, query: Partial<EventQuery> = {}): Promise<EventPage> {
  const reading = await events.read({ ...ALL_EVENTS, ...query });
  if (reading.outcome !== 'page') throw new Error(`the feed answered ${reading.outcome}`);
  return reading;
}

/** Reads all events of the log, or those of one account, page by page. Begins after the query's cursor, or with the oldest event. */
export async function readAll(events: EventLog, query: Partial<EventQuery> = {}): Promise<readonly AccountEvent[]> {
  const all: AccountEvent[] = [];
  let page: EventPage;
  let after = query.after ?? null;
  do {
    page = await readPage(events, { ...query, after });
    all.push(...page.events);
    after = page.nextCursor;
  } while (page.hasMore);
  return all;
}

/** Type and data of each event of an account whose type begins with `kind`. */
export async function accountEvents(events: EventLog, accountId: AccountId, kind: '' | 'account.' | 'key.' | 'balance.' | 'usage.' = ''): Promise<readonly (readonly [EventType, AccountEvent['data']])[]> {
  return (await readAll(events, { accountId })).filter(({ type }) => type.startsWith(kind)).map(({ type, data }) => [type, data] as const);
}

export function tokens(...amounts: readonly string[]): readonly ServiceTokens[] {
  return amounts.map((amount) => ServiceTokens.parse(amount));
}
