import type { ApiKeyId } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { changeKey, createKey, findKey, revokeKey, rotateKey } from '../../dashboard/routes/keys.js';
import { viewKey } from '../../dashboard/routes/key-views.js';
import { type AdminEndpoint, adminChange, type MadeChange } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { findAccount, type NamedCall } from '../call/find-account.js';

/** Endpoints for the keys of accounts; they need `ADMIN_KEYS=on`. */
export function keyChangeEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const present = async (call: NamedCall, { subject }: MadeChange) => viewKey(await findKey((await findAccount(call, ports)).id, subject as ApiKeyId, ports), ports);
  const withoutSecret = async (call: NamedCall, change: MadeChange) => ({ ...await present(call, change), secret: null });
  return [
    adminChange(adminContract.createKey)(async (call) => {
      const account = await findAccount(call, ports);
      return createKey({ account, plan: ports.catalogue.current().planInForce(account.planId), body: call.body, actor: call.actor }, ports);
    }, withoutSecret),
    adminChange(adminContract.changeKey)(async (call) => changeKey({ ...await named(call, ports), body: call.body }, ports), present),
    adminChange(adminContract.rotateKey)(async (call) => rotateKey(await named(call, ports), ports), withoutSecret),
    adminChange(adminContract.revokeKey)(async (call) => revokeKey(await named(call, ports), ports), present),
  ];
}

async function named(call: NamedCall & { readonly params: { readonly key: string } }, ports: AdminPorts) {
  return { accountId: (await findAccount(call, ports)).id, keyId: call.params.key as ApiKeyId, actor: call.actor };
}
