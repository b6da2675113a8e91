import { ServiceTokens } from '@tollgate/core';
import type { ShopBooks } from '@tollgate/kit';
import type { Row } from '../books/database-view.js';

/** Queries for balances, for the numbers of each account's events, and for the ledger entries of each order. */
export const SHOP_QUERIES = [
  'select id, balance from accounts',
  'select account_id, count(*), count(distinct account_sequence), min(account_sequence), max(account_sequence) from events where account_id is not null group by account_id',
  "select reference, count(*), sum(amount) from ledger_entries where reference like 'order-%' group by reference",
] as const;

/** Differences between the shop's books and the database. There is one if the shop missed something or entered it twice. */
export function wrongBooks(books: ShopBooks, [balances = [], sequences = [], credits = []]: readonly (readonly Row[])[]): readonly string[] {
  return [...wrongBalances(books, balances), ...wrongSequences(books, sequences), ...wrongOrders(books, credits)];
}

function wrongBalances({ accounts }: ShopBooks, rows: readonly Row[]): readonly string[] {
  return rows.flatMap(([id, units]) => {
    const [booked, entered] = [ServiceTokens.fromUnits(BigInt(units ?? '0')).toString(), accounts[id ?? '']?.balance ?? 'nothing'];
    return booked === entered ? [] : [`account ${id} has ${booked} service tokens, the shop says ${entered}`];
  });
}

function wrongSequences({ accounts }: ShopBooks, rows: readonly Row[]): readonly string[] {
  return rows.flatMap(([id, events, distinct, first, last]) => {
    const entered = String(accounts[id ?? '']?.sequence ?? 0);
    const isWhole = first === '1' && events === distinct && events === last && entered === last;
    return isWhole ? [] : [`account ${id} has ${events} events with ${distinct} numbers from ${first} to ${last}, the shop has entered ${entered}`];
  });
}

function wrongOrders({ orders }: ShopBooks, rows: readonly Row[]): readonly string[] {
  const credits = new Map(rows.map(([reference, count, units]) => [reference, `${count} × ${units}`]));
  return Object.entries(orders).flatMap(([id, { svc_tokens: amount, status }]) => {
    const [expected, booked] = [`1 × ${ServiceTokens.parse(amount).toUnits()}`, credits.get(`order-${id}`) ?? 'nothing'];
    return status === 'done' && booked === expected ? [] : [`order ${id} is ${status}; the ledger has ${booked}, not ${expected}`];
  });
}
