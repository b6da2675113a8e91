import { type Account, type AccountId, type Catalogue, GatewayError, invariant, type KeyPageQuery, type PriceListId, rfc3339, STANDARD_LIST } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import type { Person } from '@tollgate/identity';
import { encodeAccount, encodeAlertThresholds, encodeOperatorAccount } from '@tollgate/wire-kit';
import { type AccountStatePorts, readAccountState } from '../../routes/account-state.js';
import type { AdministrationPorts, DashboardPorts } from '../call/dashboard-ports.js';
import { type KeyViewPorts, viewKeys } from './key-views.js';

type OperatorAccount = ReplyOf<typeof contract.changeAccount>;

type ViewPorts = Pick<DashboardPorts, 'catalogue'> & { readonly administration: Pick<AdministrationPorts, 'lookups'> };

/** The accounts as operators see them, with current balances. */
export async function viewAccounts(accounts: readonly Account[], { catalogue, administration: { lookups } }: ViewPorts): Promise<readonly OperatorAccount[]> {
  const { usdPerServiceToken } = catalogue.current();
  const ids = accounts.map(({ id }) => id);
  const [balances, updates] = await Promise.all([lookups.balancesOf(ids), lookups.accountUpdatesOf(ids)]);
  return accounts.map((account, place) => {
    const [balance, updatedAt] = [balances[place] ?? null, updates[place] ?? null];
    invariant(balance !== null && updatedAt !== null, 'an account that was just read has a balance');
    return { ...encodeOperatorAccount(account, balance, usdPerServiceToken), updated_at: rfc3339(updatedAt) };
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

/** Thresholds that the owner chose, and those in force. */
export async function viewThresholds({ id }: Account, { alerts }: Pick<DashboardPorts, 'alerts'>) {
  const found = await alerts.find(id);
  invariant(found !== null, 'accounts stay, also when they are deleted');
  return encodeAlertThresholds(found);
}

/** `null` if no person owns the account. Found by address, since a person and their account always have the same one. */
export async function findOwner({ id, email }: Account, { people }: Pick<DashboardPorts, 'people'>): Promise<Person | null> {
  const person = await people.findByEmail(email);
  return person?.accountId === id ? person : null;
}

async function viewConsents(account: Account, ports: Pick<DashboardPorts, 'people' | 'consents'>) {
  const person = await findOwner(account, ports);
  const given = person === null ? [] : await ports.consents.given(person.id);
  return given.map(({ document, version, at }) => ({ document, version, agreed_at: rfc3339(at) }));
}

type TermsPorts = ViewPorts & AccountStatePorts & Pick<DashboardPorts, 'accounts' | 'alerts' | 'people' | 'consents'>;

/** The account with its active limits and their current use. */
export async function viewAccountTerms(account: Account, ports: TermsPorts) {
  const plan = ports.catalogue.current().planInForce(account.planId);
  const [view, state, reason, thresholds, consents] = await Promise.all([
    viewAccount(account, ports), readAccountState({ account, plan, keyModels: null }, ports), ports.accounts.suspensionReason(account.id),
    viewThresholds(account, ports), viewConsents(account, ports),
  ]);
  const { limits, used, plan: planInForce } = encodeAccount(state);
  return { ...view, plan_in_force: planInForce, price_list_in_force: priceListInForce(account, ports.catalogue.current()), limits, used, standing_reason: reason, ...thresholds, consents };
}
