import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import type { AccountId, Actor, ApiKeyId } from '@tollgate/core';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { keyRefusal } from '../keys/key-refusals.js';
import { viewKey } from '../keys/view-keys.js';

/** A key of an account, as the address names them. */
interface Named {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
}

function named({ id, key }: { readonly id: string; readonly key: string }): Named {
  return { accountId: id as AccountId, keyId: key as ApiKeyId };
}

/** The key as it is after an act; throws why the act did nothing. */
async function viewAfter(isDone: boolean, { accountId, keyId }: Named, ports: DashboardPorts): Promise<ReplyOf<typeof contract.blockKey>> {
  const key = isDone ? await ports.keys.findById(accountId, keyId) : null;
  if (key === null) throw await keyRefusal(ports.keys, accountId, keyId);
  return viewKey(key, ports);
}

/** What operators do to keys of others: stop them. Creating and rotating them is their owner's. */
export function accountKeyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { keys, keyManagement, clock } = ports;
  const setBlocked = async (key: Named, blocked: boolean, actor: Actor) =>
    viewAfter(await keys.setBlocked(key.accountId, key.keyId, blocked, { actor, at: clock.now() }), key, ports);
  return [
    endpoint(contract.blockKey)(({ params, call }) => setBlocked(named(params), true, actorOf(call, 'operator'))),
    endpoint(contract.unblockKey)(({ params, call }) => setBlocked(named(params), false, actorOf(call, 'operator'))),
    endpoint(contract.revokeKeyOfAccount)(async ({ params, call }) => {
      const key = named(params);
      return viewAfter(await keyManagement.revoke(key.accountId, key.keyId, actorOf(call, 'operator')), key, ports);
    }),
  ];
}
