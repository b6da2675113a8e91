import { GatewayError, type Instant, later, rfc3339 } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { dashboardLink, type MachineLinkRefusal, TOKEN_LIFETIMES } from '@tollgate/identity';
import { type AdminEndpoint, adminChange } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { findAccount } from '../call/find-account.js';

const REFUSALS: Readonly<Record<MachineLinkRefusal, string>> = {
  'no-person': 'The account has no person yet; the person who verifies its address owns it.',
  operator: 'The account is of a person with the role of an operator, who has to sign in personally.',
  unverified: 'The owner of the account has not verified the address.',
  blocked: 'The account is blocked.',
  deleted: 'The account is deleted.',
};

/** Endpoint for links that sign owners in to their dashboard. */
export function signInLinkEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { signInLinks, address, clock } = ports;
  return [
    adminChange(adminContract.createSignInLink)(async (call) => {
      const account = await findAccount(call, ports);
      const issued = await signInLinks.issue(account, call.machineId, { actor: call.actor, at: clock.now() });
      if (issued.outcome !== 'issued') throw new GatewayError(issued.outcome === 'operator' ? 'session_required' : 'conflict', REFUSALS[issued.outcome]);
      return { ...view(account.id, issued.expiresAt), url: linkTo(address.origin, issued.token, call.body.return_to) };
    }, async (call, { claimedAt }) => view((await findAccount(call, ports)).id, later(claimedAt, TOKEN_LIFETIMES['machine-sign-in']))),
  ];
}

/** The link without its URL, which only the first reply contains. */
function view(accountId: string, expiresAt: Instant) {
  return { object: 'sign_in_link' as const, account_id: accountId, url: null, expires_at: rfc3339(expiresAt) };
}

function linkTo(origin: string, token: string, returnTo: string | undefined): string {
  const link = dashboardLink(origin, 'link', token);
  return returnTo === undefined ? link : `${link}&return_to=${encodeURIComponent(returnTo)}`;
}
