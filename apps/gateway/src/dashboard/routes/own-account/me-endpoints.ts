import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type Account, invariant, type Person, rfc3339, standingOf } from '@tollgate/core';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';

type Me = ReplyOf<typeof contract.me>;

export function encodePerson({ id, email, name, role, factors, createdAt }: Person): Me['person'] {
  return { id, object: 'person', email, name, role, factors, created_at: rfc3339(createdAt) };
}

export function encodeOwnAccount(account: Account): Me['account'] {
  const standing = standingOf(account);
  invariant(standing === 'good' || standing === 'suspended' || standing === 'pending-deletion', 'other owners have no session');
  return { id: account.id, name: account.name, standing, deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt) };
}

/** What every page asks for first. */
export function meEndpoints({ rules, address }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.me)(async ({ visitor: { person, account, reach } }) => ({
      object: 'me', person: encodePerson(person), account: encodeOwnAccount(account), reach, settings: { sign_up: rules.signUp, public_url: address.origin },
    })),
  ];
}
