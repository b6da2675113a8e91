import { type Account, type AccountId, type Catalogue, GatewayError, invariant, type KeyPageQuery, type PriceListId, STANDARD_LIST } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import { encodeAccount, encodeAlertThresholds, encodeOperatorAccount } from '@tollgate/wire-kit';
import { type AccountStatePorts, readAccountState } from '../../routes/account-state.js';
import type { AdministrationPorts, DashboardPorts } from '../call/dashboard-ports.js';
import { type KeyViewPorts, viewKeys } from './key-views.js';

type OperatorAccount = ReplyOf<typeof contract.changeAccount>;

type ViewPorts = Pick<DashboardPorts, 'catalogue'> & { readonly administration: Pick<AdministrationPorts, 'lookups'> };

/** With current balances. */
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

/** Throws `not_found`. */
export async function findAccount(id: string, { accounts }: Pick<DashboardPorts, 'accounts'>): Promise<Account> {
  const account = await accounts.findById(id as AccountId);
  if (account === null) throw noSuchAccount(id);
  return account;
}

/** Throws `invalid_request` for a cursor that is not a key of the account. */
export async function viewKeyPage(accountId: AccountId, { limit, after }: KeyPageQuery, ports: KeyViewPorts) {
  const page = await ports.keys.page(accountId, { limit, after });
  if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return { object: 'list' as const, data: await viewKeys(accountId, page.keys, ports), has_more: page.next !== null, next_cursor: page.next };
}

function priceListInForce({ priceList }: Account, catalogue: Catalogue): PriceListId {
  return (priceList === null ? null : catalogue.priceList(priceList))?.id ?? STANDARD_LIST;
}

type TermsPorts = ViewPorts & AccountStatePorts & Pick<DashboardPorts, 'accounts' | 'alerts'>;

/** With active limits and their use. */
export async function viewAccountTerms(account: Account, ports: TermsPorts) {
  const plan = ports.catalogue.current().planInForce(account.planId);
  const [view, state, reason, alerts] = await Promise.all([
    viewAccount(account, ports), readAccountState({ account, plan, keyModels: null }, ports), ports.accounts.suspensionReason(account.id),
    ports.alerts.find(account.id),
  ]);
  invariant(alerts !== null, 'accounts stay, also when they are deleted');
  const { limits, used, plan: planInForce } = encodeAccount(state);
  return { ...view, plan_in_force: planInForce, price_list_in_force: priceListInForce(account, ports.catalogue.current()), limits, used, standing_reason: reason, ...encodeAlertThresholds(alerts) };
}
