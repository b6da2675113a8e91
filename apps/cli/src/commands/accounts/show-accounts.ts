import { type Account, type AccountId, type Balance, type Instant, apiKeyState, availableOf, rfc3339, standingOf } from '@tollgate/core';
import { encodeAccount } from '../../encoding/encode-account.js';
import { encodePlan } from '../../encoding/encode-catalogue.js';
import { encodeKey, type KeyView } from '../../encoding/encode-key.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { list, table } from '../../program/table.js';
import { findAccount, planOf, present } from '../../values/find-account.js';
import { limitText, modelsText, viewKey } from '../../values/view-key.js';

/** An account for people. */
export function accountLines(account: Account, balance: Balance): readonly string[] {
  return list({
    Account: account.id,
    'E-mail': account.email,
    Name: account.name,
    Plan: account.planId,
    Standing: standingOf(account),
    ...(account.deletion === null ? {} : { 'To be deleted': rfc3339(account.deletion.dueAt) }),
    Balance: `${balance.posted.toString()} service tokens, ${availableOf(balance).toString()} available`,
    Created: rfc3339(account.createdAt),
  });
}

export async function listAccounts(
  session: OperatorSession, { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<Report> {
  const { accounts, next } = await session.store.accounts.list({ limit, after: (after ?? null) as AccountId | null });
  const balances = await Promise.all(accounts.map(({ id }) => balanceOf(session, id)));
  const rows = accounts.map((account, position) => ({ account, balance: present(balances[position] ?? null, 'a balance per account') }));
  return {
    json: { accounts: rows.map(({ account, balance }) => encodeAccount(account, balance)), next },
    lines: [
      ...table(['ID', 'E-MAIL', 'NAME', 'PLAN', 'STANDING', 'AVAILABLE'], rows.map(({ account, balance }) =>
        [account.id, account.email, account.name, account.planId, standingOf(account), availableOf(balance).toString()])),
      ...(next === null ? [] : [`There are more: --after ${next}`]),
    ],
  };
}

export async function showAccount(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const [balance, keys] = await Promise.all([balanceOf(session, account.id), session.keys.list(account.id)]);
  const used = await session.store.usage.tokensUsed(account.id, session.clock.now());
  const now = session.clock.now();
  const views = await Promise.all(keys.map((key) => viewKey(session, key)));
  return {
    json: {
      account: encodeAccount(account, balance),
      plan: encodePlan(planOf(session, account)),
      keys: views.map((view) => encodeKey(view, now)),
      tokens_used: { today: used.day, this_month: used.month },
    },
    lines: [
      ...accountLines(account, balance),
      ...list({ 'Tokens used': `${used.day} today, ${used.month} this month (UTC)` }),
      ...views.map((view) => keyLine(view, now)),
    ],
  };
}

function keyLine(view: KeyView, now: Instant): string {
  const { id, hint, blocked, name } = view.key;
  const bounds = [view.key.models === null ? null : modelsText(view.key), limitText(view)].filter((text) => text !== null);
  return `Key ${id} ${hint} ${apiKeyState(view.key, now)}${blocked ? ', blocked' : ''}${name === null ? '' : ` "${name}"`}${bounds.map((text) => `; ${text}`).join('')}`;
}

async function balanceOf({ store }: OperatorSession, id: AccountId): Promise<Balance> {
  return present(await store.ledger.balanceOf(id), 'an account\'s balance');
}
