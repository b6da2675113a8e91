import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import { type Account, type AccountId, availableOf, type Balance, GatewayError, invariant, type Person, rfc3339, standingOf, type TokenRate } from '@tollgate/core';
import { encodeAmount } from '../../../routes/account/encode-account.js';
import type { AdministrationPorts } from '../../call/administration-ports.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';

export type OperatorAccount = ReplyOf<typeof contract.changeAccount>;

type ViewPorts = Pick<DashboardPorts, 'catalogue'> & { readonly administration: Pick<AdministrationPorts, 'lookups'> };

export function encodeBalance(balance: Balance, usdPerServiceToken: TokenRate): OperatorAccount['balance'] {
  return {
    available: encodeAmount(availableOf(balance), usdPerServiceToken),
    reserved: encodeAmount(balance.reserved, usdPerServiceToken),
    total: encodeAmount(balance.posted, usdPerServiceToken),
  };
}

function encodeOperatorAccount(account: Account, balance: Balance, usdPerServiceToken: TokenRate): OperatorAccount {
  return {
    id: account.id, object: 'account', email: account.email, name: account.name, plan: account.planId, status: account.status, standing: standingOf(account),
    email_verified: account.emailVerified, blocked: account.blocked, deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt),
    created_at: rfc3339(account.createdAt), balance: encodeBalance(balance, usdPerServiceToken),
  };
}

/** Accounts as operators see them, with the balances they have now. */
export async function viewAccounts(accounts: readonly Account[], { catalogue, administration: { lookups } }: ViewPorts): Promise<readonly OperatorAccount[]> {
  const { usdPerServiceToken } = catalogue.current();
  const balances = await lookups.balancesOf(accounts.map(({ id }) => id));
  return accounts.map((account, place) => {
    const balance = balances[place];
    invariant(balance !== undefined && balance !== null, 'an account that was just read has a balance');
    return encodeOperatorAccount(account, balance, usdPerServiceToken);
  });
}

export async function viewAccount(account: Account, ports: ViewPorts): Promise<OperatorAccount> {
  const [view] = await viewAccounts([account], ports);
  invariant(view !== undefined, 'one account has one view');
  return view;
}

export function noSuchAccount(id: string): GatewayError {
  return new GatewayError('not_found', `There is no account ${id}.`);
}

/** The person who owns the account; `null` where there is none yet. Person and account change their address together. */
export async function findOwner({ id, email }: Account, { people }: Pick<DashboardPorts, 'people'>): Promise<Person | null> {
  const person = await people.findByEmail(email);
  return person?.accountId === id ? person : null;
}

/** Throws `not_found`. */
export async function findAccount(id: string, { accounts }: Pick<DashboardPorts, 'accounts'>): Promise<Account> {
  const account = await accounts.findById(id as AccountId);
  if (account === null) throw noSuchAccount(id);
  return account;
}
