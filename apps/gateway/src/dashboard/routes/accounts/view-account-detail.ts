import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import { type Account, type AccountId, type ApiKeyId, GatewayError, rfc3339 } from '@tollgate/core';
import { readAccountState } from '../../../routes/account/account-state.js';
import { encodeAccount } from '../../../routes/account/encode-account.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { encodeRefusals } from '../../call/encode-refusals.js';
import { viewKeys } from '../keys/view-keys.js';
import { findOwner, viewAccount } from './view-account.js';

type AccountDetail = ReplyOf<typeof contract.readAccount>;

/** Keys that the page of an account shows at once. */
const SHOWN_KEYS = 50;

/** A page of an account's keys. Throws `invalid_request` where the cursor is no key of the account. */
export async function viewKeyPage(accountId: AccountId, { limit, after }: { readonly limit: number; readonly after: ApiKeyId | null }, ports: DashboardPorts): Promise<AccountDetail['keys']> {
  const page = await ports.keys.page(accountId, { limit, after });
  if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return { object: 'list', data: await viewKeys(accountId, page.keys, ports), has_more: page.next !== null, next_cursor: page.next };
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

/** An account with all that its page shows. */
export async function viewAccountDetail(account: Account, ports: DashboardPorts): Promise<AccountDetail> {
  const plan = ports.catalogue.current().planInForce(account.planId);
  const [view, state, keys, playgroundKey, person, reason] = await Promise.all([
    viewAccount(account, ports), readAccountState({ account, plan, keyModels: null }, ports), viewKeyPage(account.id, { limit: SHOWN_KEYS, after: null }, ports),
    ports.keys.findPlaygroundKey(account.id), viewPerson(account, ports), ports.accounts.suspensionReason(account.id),
  ]);
  const { limits, used, plan: planInForce } = encodeAccount(state);
  return {
    ...view, plan_in_force: planInForce, limits, used, standing_reason: reason, keys, playground_key_id: playgroundKey?.id ?? null, person,
    refusals: encodeRefusals(ports.refusals.of(account.id)),
  };
}
