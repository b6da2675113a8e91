import {
  type Account, type AccountId, apiKeyState, assertNever, availableOf, type Balance, type Instant, type IssuedKey, rfc3339,
  type ServiceTokens, standingOf,
} from '@tollgate/core';
import {
  encodeAccount, encodeIssuedKey, encodeKey, encodePlan, issuedKeyLines, type KeyView, limitText, modelsText, viewKey,
} from '../encoding/encode-resources.js';
import type { OperatorSession } from '../program/operator-session.js';
import { CommandFailure, list, misuse, type Report, table } from '../program/report.js';
import { findAccount, findPlan, planOf, present } from '../program/lookups.js';
import { creditOf, newReference } from './account-money.js';

/** An account, as lines for people. */
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

export interface CreateAccountOptions {
  readonly email: string;
  readonly name: string;
  readonly plan: string;
  readonly credit?: ServiceTokens;
  readonly reference?: string;
  readonly unverified?: true;
}

const FIRST_KEY_NAME = 'first key';

/** Creates an account with its initial balance and its first key. */
export async function createAccount(session: OperatorSession, options: CreateAccountOptions): Promise<Report> {
  const account = await newAccount(session, options);
  const { credit } = options;
  if (credit !== undefined && !credit.isZero()) {
    await creditOf(session, account, { amount: credit, reference: options.reference ?? newReference(session), reason: null });
  }
  const issued = await firstKey(session, account);
  const balance = present(await session.store.ledger.balanceOf(account.id), 'the new account\'s balance');
  return {
    json: { account: encodeAccount(account, balance), key: encodeIssuedKey(issued) },
    lines: [...accountLines(account, balance), '', ...issuedKeyLines(issued)],
  };
}

async function newAccount(session: OperatorSession, { email, name, plan, unverified }: CreateAccountOptions): Promise<Account> {
  const outcome = await session.accounts.create({
    email, name, planId: findPlan(session, plan).id, emailVerified: unverified !== true, actor: session.actor,
  });
  switch (outcome.outcome) {
    case 'created': return outcome.account;
    case 'email-taken': throw new CommandFailure(`there is an account with the address ${email} already`);
    case 'email-malformed': throw misuse(`option '--email <address>' is no e-mail address: ${email}`);
    case 'no-such-plan': throw misuse(`there is no plan ${plan}`);
    default: return assertNever(outcome);
  }
}

async function firstKey(session: OperatorSession, account: Account): Promise<IssuedKey> {
  const outcome = await session.keys.create({
    accountId: account.id, plan: findPlan(session, account.planId), name: FIRST_KEY_NAME, expiresAt: null, actor: session.actor,
  });
  if (outcome.outcome !== 'created') throw new CommandFailure(`account ${account.id} is made, but its first key is not: ${outcome.outcome}`);
  return outcome.issued;
}

type ChangeRequest = { readonly name: string } | { readonly plan: string };

/** Changes an account and shows it. */
export async function changeAccount(session: OperatorSession, idOrEmail: string, request: ChangeRequest): Promise<Report> {
  const change = 'plan' in request ? { planId: findPlan(session, request.plan).id } : request;
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await session.accounts.change(id, change, session.actor);
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'no-such-plan': throw misuse('there is no such plan');
    case 'changed': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return { json: { account: encodeAccount(outcome.account, balance) }, lines: accountLines(outcome.account, balance) };
}
