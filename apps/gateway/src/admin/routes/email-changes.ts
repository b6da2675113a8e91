import { GatewayError, type Instant, later, rfc3339 } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { type RequestedChangeRefusal, TOKEN_LIFETIMES } from '@tollgate/identity';
import { findOwner } from '../../dashboard/routes/account-views.js';
import { type AdminEndpoint, adminChange } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { findAccount } from '../call/find-account.js';

const REFUSALS: Readonly<Record<RequestedChangeRefusal, string>> = {
  'no-person': 'The account has no person who could confirm it. An operator can change its address.',
  operator: 'The account is of a person with the role of an operator, who changes the address personally.',
  inactive: 'The account is suspended, blocked or to be deleted.',
};

/** Endpoints for changes of an account's address, which its owner confirms. */
export function emailChangeEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { accounts, addressChange, clock } = ports;
  return [
    adminChange(adminContract.requestEmailChange)(async (call) => {
      const { actor, body: { email } } = call;
      const account = await findAccount(call, ports);
      const other = await accounts.findByEmail(email);
      if (other !== null && other.id !== account.id) throw new GatewayError('conflict', `An account with the address ${email} already exists.`, { param: 'email' });
      const by = { actor, at: clock.now() };
      const { outcome } = await addressChange.requestFor({ account, person: await findOwner(account, ports) }, email, by);
      if (outcome !== 'mailed') throw new GatewayError(outcome === 'operator' ? 'session_required' : 'conflict', REFUSALS[outcome]);
      return view(account.id, email, by.at);
    }, async (call, { claimedAt }) => view((await findAccount(call, ports)).id, call.body.email, claimedAt)),
  ];
}

function view(accountId: string, email: string, requestedAt: Instant) {
  return { object: 'email_change' as const, account_id: accountId, email, expires_at: rfc3339(later(requestedAt, TOKEN_LIFETIMES['confirm-change'])) };
}
