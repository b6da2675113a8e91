import { type AccountId, type Actor, type ApiKeyId, GatewayError } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { findAccount } from './account-views.js';
import { viewKey } from './key-views.js';
import { changeKey, createKey, keyRefusal } from './keys.js';

export function accountKeyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { keys, keyManagement, clock } = ports;
  const setBlocked = async (key: Named, blocked: boolean, actor: Actor) =>
    viewAfter(await keys.setBlocked(key.accountId, key.keyId, blocked, { actor, at: clock.now() }), key, ports);
  return [
    endpoint(contract.createKeyOfAccount)(async ({ params: { id }, body, call }) => {
      const account = await findAccount(id, ports);
      if (account.status === 'deleted') throw new GatewayError('conflict', 'The account is deleted.');
      return createKey({ account, plan: ports.catalogue.current().planInForce(account.planId), body, actor: actorOf(call, 'operator') }, ports);
    }),
    endpoint(contract.changeKeyOfAccount)(({ params, body, call }) => changeKey({ ...named(params), body, actor: actorOf(call, 'operator') }, ports)),
    endpoint(contract.blockKey)(({ params, call }) => setBlocked(named(params), true, actorOf(call, 'operator'))),
    endpoint(contract.unblockKey)(({ params, call }) => setBlocked(named(params), false, actorOf(call, 'operator'))),
    endpoint(contract.revokeKeyOfAccount)(async ({ params, call }) => {
      const key = named(params);
      return viewAfter(await keyManagement.revoke(key.accountId, key.keyId, actorOf(call, 'operator')), key, ports);
    }),
  ];
}

interface Named {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
}

function named({ id, key }: { readonly id: string; readonly key: string }): Named {
  return { accountId: id as AccountId, keyId: key as ApiKeyId };
}

/** Throws the reason if the act had no effect. */
async function viewAfter(isDone: boolean, { accountId, keyId }: Named, ports: DashboardPorts): Promise<ReplyOf<typeof contract.blockKey>> {
  const key = isDone ? await ports.keys.findById(accountId, keyId) : null;
  if (key === null) throw await keyRefusal(ports.keys, accountId, keyId);
  return viewKey(key, ports);
}
