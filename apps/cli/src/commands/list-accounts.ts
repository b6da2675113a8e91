import {
  type AccountId, type AccountOrder, type AccountStanding, availableOf, type FoundPosition, NO_ACCOUNT_FILTER, type PlanId, type ServiceTokens, type UtcDay,
} from '@tollgate/core';
import { misuse } from '../program/command-failure.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type Report, shortened, tableOr } from '../program/report.js';
import { standingText } from '../program/standing-text.js';
import { encodeAccount } from './accounts.js';

export interface ListAccountsOptions {
  readonly limit: number;
  readonly sort: AccountOrder;
  readonly descending?: true;
  readonly search?: string;
  readonly plan?: string;
  readonly status?: AccountStanding;
  readonly below?: ServiceTokens;
  readonly usedSince?: UtcDay;
  readonly unusedSince?: UtcDay;
  readonly cursor?: string;
}

/**
 * True if accounts are listed in ascending order of creation. Only this list can be continued, because balances and last requests change between two
 * commands.
 */
function isContinuable({ sort, descending }: ListAccountsOptions): boolean {
  return sort === 'created' && descending !== true;
}

async function positionOf({ store }: OperatorSession, options: ListAccountsOptions): Promise<FoundPosition | null> {
  if (options.cursor === undefined) return null;
  if (!isContinuable(options)) throw misuse('option \'--cursor <id>\' continues the ascending order of creation only');
  const account = await store.accounts.findById(options.cursor as AccountId);
  if (account === null) throw misuse(`option '--cursor <id>': there is no account ${options.cursor}`);
  return { value: String(account.createdAt), id: account.id };
}

export async function listAccounts(session: OperatorSession, options: ListAccountsOptions): Promise<Report> {
  const { limit, sort: order, descending = false, search = '', plan, status: standing = null, below = null, usedSince = null, unusedSince = null } = options;
  const { found, next } = await session.store.lookups.searchAccounts({
    ...NO_ACCOUNT_FILTER, text: search.trim() === '' ? null : search.trim(), planId: (plan ?? null) as PlanId | null, standing, availableBelow: below, usedSince, unusedSince,
    order, descending, limit, after: await positionOf(session, options),
  });
  const continued = next === null || !isContinuable(options) ? null : next.id;
  return {
    json: { accounts: found.map(({ account, balance, lastUsedOn }) => ({ ...encodeAccount(session, account, balance), last_used_on: lastUsedOn })), next: continued },
    lines: [
      ...tableOr('There is no such account.', ['ID', 'E-MAIL', 'NAME', 'PLAN', 'STATUS', 'AVAILABLE', 'LAST USED'], found.map(({ account, balance, lastUsedOn }) =>
        [account.id, account.email, shortened(account.name), account.planId, standingText(account), availableOf(balance).toString(), lastUsedOn ?? 'never'])),
      ...(next === null ? [] : [continued === null ? 'There are more: raise --limit, or narrow the list' : `There are more: --cursor ${continued}`]),
    ],
  };
}
