import { type AccountEvent, type AccountId, type BalanceAlerts, type EventLog, type EventPage, type EventQuery, type EventType, ServiceTokens } from '@tollgate/core';
import type { ErasureSubject } from '../accounts/account-erasure-contract.js';

/** One empty store with its feed. */
export interface EventsSubject extends ErasureSubject {
  readonly events: EventLog;
  readonly alerts: BalanceAlerts;
}

/** Query for all events of the feed. */
export const ALL_EVENTS: EventQuery = { after: null, limit: 1_000, types: null, accountId: null };

/** Throws unless the reading is a page. */
export async function readPage(events: EventLog, query: Partial<EventQuery> = {}): Promise<EventPage> {
  const reading = await events.read({ ...ALL_EVENTS, ...query });
  if (reading.outcome !== 'page') throw new Error(`the feed answered ${reading.outcome}`);
  return reading;
}

/** Reads all events of the feed, or of one account, page by page, from the query's cursor or the beginning. */
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

/** Type and data of an account's events whose type has this prefix, such as `balance.`. */
export async function accountEvents(events: EventLog, accountId: AccountId, kind: '' | 'account.' | 'key.' | 'balance.' | 'usage.' = ''): Promise<readonly (readonly [EventType, AccountEvent['data']])[]> {
  return (await readAll(events, { accountId })).filter(({ type }) => type.startsWith(kind)).map(({ type, data }) => [type, data] as const);
}

export function tokens(...amounts: readonly string[]): readonly ServiceTokens[] {
  return amounts.map((amount) => ServiceTokens.parse(amount));
}
