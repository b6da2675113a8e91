import { type AccountId, type AutomaticTopUps, type Clock, ServiceTokens, type TopUpChoice, type TopUpOverview } from '@tollgate/core';
import { type BodyOf, contract } from '@tollgate/api-contract';
import { encodeAutomaticTopUp } from '@tollgate/wire-kit';
import type { PublicAddress } from '../../http/public-address.js';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { findAccount } from './account-views.js';

interface TopUpPorts extends Pick<DashboardPorts, 'accounts' | 'topUps'> {
  readonly address: PublicAddress;
  readonly clock: Clock;
}

export function automaticTopUpEndpoints({ topUps, accounts, address, clock }: TopUpPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.readAutomaticTopUp)(async ({ visitor: { account } }) => viewTopUp(account.id, topUps)),
    endpoint(contract.enableAutomaticTopUp)(async ({ visitor: { account }, call, body }) => encode(account.id, await topUps.enable(account.id, choiceOf(body), { actor: actorOf(call, 'owner'), at: clock.now() }), topUps)),
    endpoint(contract.disableAutomaticTopUp)(async ({ visitor: { account }, call }) => encode(account.id, await topUps.disable(account.id, { actor: actorOf(call, 'owner'), at: clock.now() }), topUps)),
    endpoint(contract.openPaymentPortal)(async ({ visitor: { account } }) => ({ object: 'payment_portal', url: await topUps.openPortal(account.id, `${address.origin}/dashboard/billing`) })),
    endpoint(contract.readAutomaticTopUpOfAccount)(async ({ params: { id } }) => viewTopUp((await findAccount(id, { accounts })).id, topUps)),
  ];
}

export async function viewTopUp(accountId: AccountId, topUps: AutomaticTopUps) {
  return encode(accountId, await topUps.overview(accountId), topUps);
}

function encode(accountId: AccountId, overview: TopUpOverview, { provider }: AutomaticTopUps) {
  return encodeAutomaticTopUp(accountId, overview, provider);
}

function choiceOf({ threshold, package: packageId, amount, max_per_day: maxPerDay, monthly_amount: monthlyAmount }: BodyOf<typeof contract.enableAutomaticTopUp>): TopUpChoice {
  return { threshold: ServiceTokens.parse(threshold), choice: packageId === undefined ? { amount: amount ?? '' } : { packageId }, maxPerDay, monthlyAmount };
}
