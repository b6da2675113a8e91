import {
  type Account, type AccountChange, type AccountId, apiKeyState, assertNever, availableOf, type Balance, type DeletionOutcome, type Instant, type IssuedKey, type JsonObject,
  type ServiceTokens, type StandingAct, type StandingCommand, STANDARD_LIST, type StandingOutcome,
} from '@tollgate/core';
import { ADDRESS_REFUSALS } from '@tollgate/identity';
import { encodeOperatorAccount, encodePlan } from '@tollgate/wire-kit';
import { encodeIssuedKey, encodeKey, issuedKeyLines, type KeyView, limitText, modelsText, viewKey } from '../program/view-key.js';
import type { OperatorSession } from '../program/operator-session.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { type Cell, list, type Report, type ReportPart, time } from '../program/report.js';
import { standingText } from '../program/standing-text.js';
import { findAccount } from '../program/find-account.js';
import { findPlan, planOf } from '../program/find-plan.js';
import { findPriceList } from '../program/find-price-list.js';
import { present } from '../program/present.js';
import { creditOf, newReference } from './account-money.js';

function accountLines(account: Account, balance: Balance, more: Readonly<Record<string, Cell>> = {}): readonly ReportPart[] {
  return list({
    Account: account.id,
    'E-mail': account.email,
    Name: account.name,
    Plan: account.planId,
    Prices: account.priceList ?? STANDARD_LIST,
    Status: standingText(account),
    ...(account.deletion === null ? {} : { 'To be deleted': time(account.deletion.dueAt) }),
    Balance: `${balance.posted.toString()} service tokens, ${availableOf(balance).toString()} available`,
    Created: time(account.createdAt),
    ...more,
  });
}

export function encodeAccount({ catalogue }: OperatorSession, account: Account, balance: Balance): JsonObject {
  return encodeOperatorAccount(account, balance, catalogue.current().usdPerServiceToken);
}

export async function showAccount(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const [balance, keys] = await Promise.all([balanceOf(session, account.id), session.keys.list(account.id)]);
  const used = await session.store.usage.tokensUsed(account.id, session.clock.now());
  const now = session.clock.now();
  const views = await Promise.all(keys.map((key) => viewKey(session, key)));
  return {
    json: {
      account: encodeAccount(session, account, balance),
      plan: encodePlan(planOf(session, account)),
      keys: views.map((view) => encodeKey(view, session)),
      tokens_used: { today: used.day, this_month: used.month },
    },
    lines: [
      ...accountLines(account, balance, { 'Tokens used': `${used.day} today, ${used.month} this month (UTC)` }),
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

export async function createAccount(session: OperatorSession, options: CreateAccountOptions): Promise<Report> {
  const account = await newAccount(session, options);
  const { credit } = options;
  if (credit !== undefined && !credit.isZero()) {
    await creditOf(session, account, { amount: credit, reference: options.reference ?? newReference(session), reason: null });
  }
  const issued = await firstKey(session, account);
  const balance = present(await session.store.ledger.balanceOf(account.id), 'the new account\'s balance');
  return {
    json: { account: encodeAccount(session, account, balance), key: encodeIssuedKey(issued, session) },
    lines: [...accountLines(account, balance), '', ...issuedKeyLines(issued)],
  };
}

async function newAccount(session: OperatorSession, { email, name, plan, unverified }: CreateAccountOptions): Promise<Account> {
  const outcome = await session.accounts.create({
    email, name, planId: findPlan(session, plan, 'option \'--plan <plan>\'').id, emailVerified: unverified !== true, actor: session.actor,
  });
  switch (outcome.outcome) {
    case 'created': return outcome.account;
    case 'email-taken': throw new CommandFailure(`an account with the address ${email} already exists`);
    case 'email-malformed': throw misuse(`option '--email <address>' is not an e-mail address: ${email}`);
    case 'no-such-plan': throw misuse(`option '--plan <plan>': there is no plan ${plan}`);
    case 'external-id-taken': throw new CommandFailure('another account already has this external id');
    default: return assertNever(outcome);
  }
}

async function firstKey(session: OperatorSession, account: Account): Promise<IssuedKey> {
  const outcome = await session.keys.create({
    accountId: account.id, plan: findPlan(session, account.planId), name: FIRST_KEY_NAME, expiresAt: null, actor: session.actor,
  });
  if (outcome.outcome !== 'created') throw new CommandFailure(`account ${account.id} was created, but its first key was not: ${outcome.outcome}`);
  return outcome.issued;
}

type ChangeRequest = { readonly name: string } | { readonly plan: string } | { readonly priceList: string };

function changeOf(session: OperatorSession, request: ChangeRequest): AccountChange {
  if ('plan' in request) return { planId: findPlan(session, request.plan).id };
  return 'priceList' in request ? { priceList: findPriceList(session, request.priceList) } : request;
}

export async function changeAccount(session: OperatorSession, idOrEmail: string, request: ChangeRequest): Promise<Report> {
  const change = changeOf(session, request);
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await session.accounts.change(id, change, session.actor);
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'no-such-plan': throw misuse('argument <plan>: there is no such plan');
    case 'no-such-price-list': throw misuse('argument <list>: there is no such price list');
    case 'external-id-taken': throw new CommandFailure('another account already has this external id');
    case 'changed': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return { json: { account: encodeAccount(session, outcome.account, balance) }, lines: accountLines(outcome.account, balance) };
}

/** Changes the e-mail address of an account and of its owner. */
export async function changeAddress(session: OperatorSession, idOrEmail: string, email: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await session.addresses.replace({ accountId: id, email, by: session.act() });
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'email-malformed': throw misuse(`argument <email> is not an e-mail address: ${email}`);
    case 'email-taken': case 'operator': case 'changed-meanwhile': throw new CommandFailure(ADDRESS_REFUSALS[outcome.outcome]);
    case 'changed': case 'unchanged': return reportStanding(session, id, outcome);
    default: return assertNever(outcome);
  }
}

/** Changes of an account's standing that need neither a reason nor a date. */
export type PlainAct = Exclude<StandingAct, 'request-deletion' | 'block' | 'suspend'>;

type Act = StandingCommand extends infer Command ? Command extends StandingCommand ? Omit<Command, 'accountId' | 'actor'> : never : never;

export async function changeStanding(session: OperatorSession, idOrEmail: string, act: Act): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  return reportStanding(session, id, await session.standings.perform({ ...act, accountId: id, actor: session.actor }));
}

/** Reports the account after a change of its standing. Throws a `CommandFailure` if the change was refused or there is no such account. */
async function reportStanding(session: OperatorSession, id: AccountId, outcome: StandingOutcome): Promise<Report> {
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    case 'changed': case 'unchanged': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return {
    json: { account: encodeAccount(session, outcome.account, balance), outcome: outcome.outcome },
    lines: [...accountLines(outcome.account, balance), ...(outcome.outcome === 'unchanged' ? ['Nothing has changed: the account was already in this state.'] : [])],
  };
}

const RUNNING = 'Requests of the account are still running. A gateway deletes the account within a minute after they end.';
const CHARGING = 'The payment provider has not answered a charge of the account. A gateway repeats the charge for 20 hours, and deletes the account within a minute after its end.';

/** Schedules a deletion, which can be cancelled until it is carried out. */
export function scheduleDeletion(session: OperatorSession, idOrEmail: string): Promise<Report> {
  return requestDeletion(session, idOrEmail, session.deletionGraceMilliseconds);
}

/** Deletes the account immediately. If requests of the account are running, a gateway deletes it after they end. */
export async function deleteNow(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  if (account.status !== 'deleted') await requestDeletion(session, account.id, 0);
  const outcome = await session.deletions.carryOut(account.id, session.actor);
  return { json: { account_id: account.id, ...jsonOf(outcome) }, lines: [lineOf(account, outcome)] };
}

async function requestDeletion(session: OperatorSession, idOrEmail: string, graceMilliseconds: number): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const outcome = await session.deletions.request({ accountId, actor: session.actor, graceMilliseconds });
  if (outcome.outcome === 'last-operator') throw lastOperator(accountId);
  return reportStanding(session, accountId, outcome);
}

/** An installation keeps at least one operator, so the last operator's account is not deleted. */
function lastOperator(id: AccountId): CommandFailure {
  return new CommandFailure(`last_operator: account ${id} belongs to the last operator and cannot be deleted; make another operator first`);
}

function jsonOf(outcome: DeletionOutcome): { readonly outcome: string; readonly forfeited?: string } {
  return outcome.outcome === 'deleted' ? { outcome: 'deleted', forfeited: outcome.forfeited.toString() } : { outcome: outcome.outcome };
}

function lineOf({ id }: Account, outcome: DeletionOutcome): string {
  switch (outcome.outcome) {
    case 'deleted': return `Account ${id} is deleted; ${outcome.forfeited.toString()} service tokens are forfeited. Its address is free again.`;
    case 'deleted-already': return `Account ${id} is already deleted.`;
    case 'charge-running': return `The deletion of account ${id} is due. ${CHARGING}`;
    case 'requests-running': return `The deletion of account ${id} is due. ${RUNNING}`;
    case 'last-operator': throw lastOperator(id);
    case 'changed-meanwhile': throw new CommandFailure(`account ${id} was changed at the same time; run the command again`);
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    default: return assertNever(outcome);
  }
}
