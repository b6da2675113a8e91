import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type AccountChange, type AccountId, type ApiKeyId, GatewayError, PAY_AS_YOU_GO, type Plan, type PlanId } from '@tollgate/core';
import { encodePlanLimits } from '@tollgate/wire-kit';
import { actorOf, type DashboardCall } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { readOverview } from '../own-account/overview.js';
import { findAccount, findOwner, noSuchAccount, viewAccount, viewAccounts } from './view-account.js';
import { viewAccountDetail, viewKeyPage } from './view-account-detail.js';

type Creation = BodyOf<typeof contract.createAccount>;

function readChange({ name, plan }: BodyOf<typeof contract.changeAccount>): AccountChange {
  return { ...(name === undefined ? {} : { name }), ...(plan === undefined ? {} : { planId: plan as PlanId }) };
}

/** The message lists the plans that there are. */
function noSuchPlan({ catalogue }: DashboardPorts): GatewayError {
  const plans = catalogue.current().plans.map(({ id }) => id).join(', ');
  return new GatewayError('invalid_request', `plan: there is no such plan; there are ${plans}.`, { param: 'plan' });
}

function creationRefusal(outcome: 'email-taken' | 'email-malformed' | 'no-such-plan', { email }: Creation, ports: DashboardPorts): GatewayError {
  switch (outcome) {
    case 'email-taken': return new GatewayError('conflict', `There is an account with the address ${email} already.`, { param: 'email' });
    case 'email-malformed': return new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
    case 'no-such-plan': return noSuchPlan(ports);
  }
}

function encodePlan({ id, name, limits, excludedModels }: Plan): ReplyOf<typeof contract.listPlans>['data'][number] {
  return { id, object: 'plan', name, limits: encodePlanLimits(limits), excluded_models: [...excludedModels] };
}

/** The owner's overview, by the owner's code. The view is on record before it is answered. */
async function viewOverview(id: string, call: DashboardCall, ports: DashboardPorts): Promise<ReplyOf<typeof contract.viewOverview>> {
  const { catalogue, clock, auditTrail } = ports;
  const account = await findAccount(id, ports);
  await auditTrail.recordView(account.id, { actor: actorOf(call, 'operator'), at: clock.now() });
  const owner = await findOwner(account, ports);
  return readOverview({ account, plan: catalogue.current().planInForce(account.planId), ownerId: owner?.id ?? null }, ports);
}

/** What operators look at beside accounts: the plans, and what an owner sees. */
function viewEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listPlans)(async () => ({ object: 'list', data: ports.catalogue.current().plans.map(encodePlan), has_more: false })),
    endpoint(contract.viewOverview)(({ params: { id }, call }) => viewOverview(id, call, ports)),
  ];
}

/** Finding, making and changing accounts. */
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
