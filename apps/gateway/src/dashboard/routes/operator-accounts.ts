import { type Account, type AccountChange, type AccountId, type ApiKeyId, type ChangeAccountOutcome, type CreateAccountOutcome, GatewayError, PAY_AS_YOU_GO, type PlanId, type PriceListId, refuseField, rfc3339 } from '@tollgate/core';
import { type BodyOf, contract, type ReplyOf } from '@tollgate/api-contract';
import { refuseAddress } from '@tollgate/identity';
import { encodePlan, encodePriceList } from '@tollgate/wire-kit';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeRefusals } from '../call/encode-refusals.js';
import { addressTaken } from '../call/read-fields.js';
import { searchAccounts } from '../call/search-accounts.js';
import { findAccount, findOwner, noSuchAccount, viewAccount, viewAccounts, viewAccountTerms, viewKeyPage } from './account-views.js';
import { readOverview } from './overview.js';

export function operatorAccountEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { administration: { lookups, accountAdministration } } = ports;
  return [
    endpoint(contract.listAccounts)(async ({ query }) => {
      const { found, nextCursor } = await searchAccounts(query, lookups);
      const views = await viewAccounts(found.map(({ account }) => account), ports);
      const data = views.map((view, place) => ({ ...view, last_used_on: found[place]?.lastUsedOn ?? null }));
      return { object: 'list', data, has_more: nextCursor !== null, next_cursor: nextCursor };
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
      return viewAccount(accountAfterChange(await accountAdministration.change(id as AccountId, readChange(body), actorOf(call, 'operator')), id, ports), ports);
    }),
    endpoint(contract.listKeysOfAccount)(async ({ params: { id }, query: { limit, cursor = null } }) =>
      viewKeyPage((await findAccount(id, ports)).id, { limit, after: cursor as ApiKeyId | null }, ports)),
    ...viewEndpoints(ports),
  ];
}

function viewEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listPlans)(async () => ({ object: 'list', data: ports.catalogue.current().plans.map(encodePlan), has_more: false })),
    endpoint(contract.listPriceLists)(async () => ({ object: 'list', data: ports.catalogue.current().priceLists.map(encodePriceList), has_more: false })),
    endpoint(contract.viewOverview)(({ params: { id }, call }) => viewOverview(id, call, ports)),
  ];
}

type AccountDetail = ReplyOf<typeof contract.readAccount>;

/** Maximum number of keys shown on an account's page. */
const SHOWN_KEYS = 50;

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

async function viewAccountDetail(account: Account, ports: DashboardPorts): Promise<AccountDetail> {
  const [terms, keys, playgroundKey, person] = await Promise.all([
    viewAccountTerms(account, ports), viewKeyPage(account.id, { limit: SHOWN_KEYS, after: null }, ports), ports.keys.findPlaygroundKey(account.id), viewPerson(account, ports),
  ]);
  return { ...terms, keys, playground_key_id: playgroundKey?.id ?? null, person, refusals: encodeRefusals(ports.refusals.of(account.id)) };
}

type Creation = BodyOf<typeof contract.createAccount>;

function readChange({ name, plan, price_list: priceList }: BodyOf<typeof contract.changeAccount>): AccountChange {
  return {
    ...(name === undefined ? {} : { name }), ...(plan === undefined ? {} : { planId: plan as PlanId }),
    ...(priceList === undefined ? {} : { priceList: priceList as PriceListId | null }),
  };
}

function noSuchPlan({ catalogue }: Pick<DashboardPorts, 'catalogue'>): GatewayError {
  const plans = catalogue.current().plans.map(({ id }) => id).join(', ');
  return refuseField('plan', `must be one of ${plans}`, { code: 'unknown_plan' });
}

function noSuchPriceList({ catalogue }: Pick<DashboardPorts, 'catalogue'>): GatewayError {
  const lists = catalogue.current().priceLists.map(({ id }) => id);
  const known = lists.length === 0 ? 'the catalogue has no price lists' : `must be one of ${lists.join(', ')}, or null for the standard prices`;
  return refuseField('price_list', known, { code: 'unknown_price_list' });
}

function externalIdTaken(): GatewayError {
  return new GatewayError('conflict', 'Another account already has this external_id.', { param: 'external_id' });
}

/** Throws a `GatewayError` if the core has refused the change. */
export function accountAfterChange(outcome: ChangeAccountOutcome, id: string, ports: Pick<DashboardPorts, 'catalogue'>): Account {
  switch (outcome.outcome) {
    case 'changed': return outcome.account;
    case 'no-such-account': throw noSuchAccount(id);
    case 'no-such-plan': throw noSuchPlan(ports);
    case 'no-such-price-list': throw noSuchPriceList(ports);
    case 'external-id-taken': throw externalIdTaken();
  }
}

type CreationRefusal = Exclude<CreateAccountOutcome['outcome'], 'created'>;

export function creationRefusal(outcome: CreationRefusal, { email }: Pick<Creation, 'email'>, ports: Pick<DashboardPorts, 'catalogue'>): GatewayError {
  switch (outcome) {
    case 'email-taken': return addressTaken(`An account with the address ${email} already exists.`);
    case 'external-id-taken': return externalIdTaken();
    case 'email-malformed': return refuseAddress();
    case 'no-such-plan': return noSuchPlan(ports);
  }
}

/** The overview as the owner sees it. The audit log first records that the operator views it. */
async function viewOverview(id: string, call: DashboardCall, ports: DashboardPorts): Promise<ReplyOf<typeof contract.viewOverview>> {
  const { catalogue, clock, auditTrail } = ports;
  const account = await findAccount(id, ports);
  await auditTrail.recordView(account.id, { actor: actorOf(call, 'operator'), at: clock.now() });
  const owner = await findOwner(account, ports);
  return readOverview({ account, plan: catalogue.current().planInForce(account.planId), ownerId: owner?.id ?? null }, ports);
}
