import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import {
  type Account, type AccountChange, type AccountId, type ApiKeyId, GatewayError, invariant, type KeyPageQuery, PAY_AS_YOU_GO, type PlanId, rfc3339,
} from '@tollgate/core';
import type { Person } from '@tollgate/identity';
import { encodeAccount, encodeOperatorAccount, encodePlan } from '@tollgate/wire-kit';
import { type AccountStatePorts, readAccountState } from '../../routes/account.js';
import type { AdministrationPorts, DashboardPorts } from '../call/dashboard-ports.js';
import { encodeRefusals } from '../call/encode-refusals.js';
import { type KeyViewPorts, viewKeys } from './keys.js';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { readOverview } from './own-account.js';

export function operatorAccountEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { accounts, administration: { search, accountAdministration } } = ports;
  return [
    endpoint(contract.listAccounts)(async ({ query: { q, limit, cursor = null } }) => {
      const { accounts: page, next } = q === undefined
        ? await accounts.list({ limit, after: cursor as AccountId | null })
        : { accounts: await search.find(q), next: null };
      return { object: 'list', data: await viewAccounts(page, ports), has_more: next !== null, next_cursor: next };
    }),
    endpoint(contract.createAccount)(async ({ body, call }) => {
      const { email, name, plan, email_verified: emailVerified } = body;
      const outcome = await accountAdministration.create({
        email, name, planId: plan === undefined ? PAY_AS_YOU_GO : plan as PlanId, emailVerified, actor: actorOf(call, 'operator'),
      });
      if (outcome.outcome !== 'created') throw creationRefusal(outcome.outcome, body, ports);
      return viewAccount(outcome.account, ports);
    }),
    endpoint(contract.readAccount)(async ({ params: { id } }) => viewAccountDetail(await findAccount(id, ports), ports)),
    endpoint(contract.changeAccount)(async ({ params: { id }, body, call }) => {
      const outcome = await accountAdministration.change(id as AccountId, readChange(body), actorOf(call, 'operator'));
      switch (outcome.outcome) {
        case 'changed': return viewAccount(outcome.account, ports);
        case 'no-such-account': throw noSuchAccount(id);
        case 'no-such-plan': throw noSuchPlan(ports);
      }
    }),
    endpoint(contract.listKeysOfAccount)(async ({ params: { id }, query: { limit, cursor = null } }) =>
      viewKeyPage((await findAccount(id, ports)).id, { limit, after: cursor as ApiKeyId | null }, ports)),
    ...viewEndpoints(ports),
  ];
}

function viewEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listPlans)(async () => ({ object: 'list', data: ports.catalogue.current().plans.map(encodePlan), has_more: false })),
    endpoint(contract.viewOverview)(({ params: { id }, call }) => viewOverview(id, call, ports)),
  ];
}

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

/** `null` if there is none. Person and account change their address together. */
async function findOwner({ id, email }: Account, { people }: Pick<DashboardPorts, 'people'>): Promise<Person | null> {
  const person = await people.findByEmail(email);
  return person?.accountId === id ? person : null;
}

/** Throws `not_found`. */
export async function findAccount(id: string, { accounts }: Pick<DashboardPorts, 'accounts'>): Promise<Account> {
  const account = await accounts.findById(id as AccountId);
  if (account === null) throw noSuchAccount(id);
  return account;
}

type AccountDetail = ReplyOf<typeof contract.readAccount>;

/** On an account's page. */
const SHOWN_KEYS = 50;

/** Throws `invalid_request` for a cursor that is not a key of the account. */
export async function viewKeyPage(accountId: AccountId, { limit, after }: KeyPageQuery, ports: KeyViewPorts) {
  const page = await ports.keys.page(accountId, { limit, after });
  if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return { object: 'list' as const, data: await viewKeys(accountId, page.keys, ports), has_more: page.next !== null, next_cursor: page.next };
}

async function viewPerson(account: Account, ports: DashboardPorts): Promise<AccountDetail['person']> {
  const { sessions, clock } = ports;
  const person = await findOwner(account, ports);
  if (person === null) return null;
  const alive = await sessions.list(person, clock.now());
  return {
    id: person.id, object: 'person', name: person.name, email_verified: person.emailVerified, role: person.role, factors: person.factors,
    sessions: alive.length, created_at: rfc3339(person.createdAt),
  };
}

type TermsPorts = ViewPorts & AccountStatePorts & Pick<DashboardPorts, 'accounts'>;

/** With active limits and their use. */
export async function viewAccountTerms(account: Account, ports: TermsPorts) {
  const plan = ports.catalogue.current().planInForce(account.planId);
  const [view, state, reason] = await Promise.all([
    viewAccount(account, ports), readAccountState({ account, plan, keyModels: null }, ports), ports.accounts.suspensionReason(account.id),
  ]);
  const { limits, used, plan: planInForce } = encodeAccount(state);
  return { ...view, plan_in_force: planInForce, limits, used, standing_reason: reason };
}

async function viewAccountDetail(account: Account, ports: DashboardPorts): Promise<AccountDetail> {
  const [terms, keys, playgroundKey, person] = await Promise.all([
    viewAccountTerms(account, ports), viewKeyPage(account.id, { limit: SHOWN_KEYS, after: null }, ports), ports.keys.findPlaygroundKey(account.id), viewPerson(account, ports),
  ]);
  return { ...terms, keys, playground_key_id: playgroundKey?.id ?? null, person, refusals: encodeRefusals(ports.refusals.of(account.id)) };
}

type Creation = BodyOf<typeof contract.createAccount>;

function readChange({ name, plan }: BodyOf<typeof contract.changeAccount>): AccountChange {
  return { ...(name === undefined ? {} : { name }), ...(plan === undefined ? {} : { planId: plan as PlanId }) };
}

/** The message lists the existing plans. */
function noSuchPlan({ catalogue }: DashboardPorts): GatewayError {
  const plans = catalogue.current().plans.map(({ id }) => id).join(', ');
  return new GatewayError('invalid_request', `plan: must be one of ${plans}.`, { param: 'plan' });
}

function creationRefusal(outcome: 'email-taken' | 'email-malformed' | 'no-such-plan', { email }: Creation, ports: DashboardPorts): GatewayError {
  switch (outcome) {
    case 'email-taken': return new GatewayError('conflict', `An account with the address ${email} already exists.`, { param: 'email' });
    case 'email-malformed': return new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
    case 'no-such-plan': return noSuchPlan(ports);
  }
}

/** As the owner sees it. The view is audited first. */
async function viewOverview(id: string, call: DashboardCall, ports: DashboardPorts): Promise<ReplyOf<typeof contract.viewOverview>> {
  const { catalogue, clock, auditTrail } = ports;
  const account = await findAccount(id, ports);
  await auditTrail.recordView(account.id, { actor: actorOf(call, 'operator'), at: clock.now() });
  const owner = await findOwner(account, ports);
  return readOverview({ account, plan: catalogue.current().planInForce(account.planId), ownerId: owner?.id ?? null }, ports);
}
