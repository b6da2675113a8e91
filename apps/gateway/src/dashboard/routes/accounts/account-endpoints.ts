import { type BodyOf, contract } from '@tollgate/dashboard-contract';
import { type AccountChange, type AccountId, type ApiKeyId, GatewayError, PAY_AS_YOU_GO, type PlanId } from '@tollgate/core';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { findAccount, noSuchAccount, viewAccount, viewAccounts } from './view-account.js';
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
  ];
}
