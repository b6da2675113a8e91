import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type Account, type AccountRepository, bannerFor, invariant, isSuspended, MILLISECONDS_PER_DAY, type Person, rfc3339, standingOf } from '@tollgate/core';
import { encodeBanner } from '@tollgate/wire-kit';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';

type Me = ReplyOf<typeof contract.me>;

export function encodePerson({ id, email, name, role, factors, createdAt }: Person): Me['person'] {
  return { id, object: 'person', email, name, role, factors, created_at: rfc3339(createdAt) };
}

/** The store is asked for the reason of a suspension alone, which few accounts have. */
export async function viewOwnAccount(account: Account, accounts: Pick<AccountRepository, 'suspensionReason'>): Promise<Me['account']> {
  const standing = standingOf(account);
  invariant(standing === 'good' || standing === 'suspended' || standing === 'pending-deletion', 'other owners have no session');
  const reason = isSuspended(account) ? await accounts.suspensionReason(account.id) : null;
  return { id: account.id, name: account.name, standing, standing_reason: reason, deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt) };
}

function encodeSettings({ rules, address, hasMailServer, administration }: DashboardPorts): Me['settings'] {
  const { signUp, secondFactor, creditLine } = rules;
  return {
    sign_up: signUp, public_url: address.origin, api_url: address.origin, require_second_factor: secondFactor, mail: hasMailServer, credit_line: creditLine,
    deletion_grace_days: administration.deletionGraceMilliseconds / MILLISECONDS_PER_DAY,
  };
}

/** What every page asks for first. */
export function meEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { platform, catalogue, keys, accounts, clock } = ports;
  return [
    endpoint(contract.me)(async ({ visitor: { person, account, plan, reach } }) => ({
      object: 'me', person: encodePerson(person), account: await viewOwnAccount(account, accounts), reach,
      banner: encodeBanner(bannerFor(platform.current(), { plan, catalogue: catalogue.current() }, clock.now())),
      playground_key_id: (await keys.findPlaygroundKey(account.id))?.id ?? null,
      settings: encodeSettings(ports),
    })),
  ];
}
