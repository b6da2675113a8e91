import { type BodyOf, contract } from '@tollgate/dashboard-contract';
import { type ApiKey, type ApiKeyId, type CatalogueSource, GatewayError, instant, type IssuedKey, type KeyChange, resolveKeyModels, ServiceTokens, type SpendingLimit } from '@tollgate/core';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { unknownAddress } from '../../middleware/admit-visitor.js';
import { creationRefusal, keyRefusal } from './key-refusals.js';
import { viewKey, viewKeys } from './view-keys.js';

type GivenLimit = NonNullable<BodyOf<typeof contract.createKey>['spending_limit']>;

function readLimit(given: GivenLimit | null): SpendingLimit | null {
  return given === null ? null : { amount: ServiceTokens.parse(given.svc_tokens), period: given.period };
}

/** What a request leaves out stays as it is. */
function readChange({ name, models, spending_limit: limit }: BodyOf<typeof contract.changeKey>, catalogue: CatalogueSource): KeyChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(models === undefined ? {} : { models: resolveKeyModels(models, catalogue.current()) }),
    ...(limit === undefined ? {} : { limit: readLimit(limit) }),
  };
}

async function viewIssuedKey({ key, secret }: IssuedKey, ports: DashboardPorts) {
  return { ...await viewKey(key, ports), secret: secret.reveal() };
}

/** Reading keys. */
function readingEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { keys } = ports;
  return [
    endpoint(contract.listKeys)(async ({ visitor: { account }, query: { limit, cursor = null } }) => {
      const page = await keys.page(account.id, { limit, after: cursor as ApiKeyId | null });
      if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
      return { object: 'list', data: await viewKeys(account.id, page.keys, ports), has_more: page.next !== null, next_cursor: page.next };
    }),
    endpoint(contract.readKey)(async ({ visitor: { account }, params: { id } }) => {
      const key = await keys.findById(account.id, id as ApiKeyId);
      if (key === null) throw unknownAddress();
      return viewKey(key, ports);
    }),
  ];
}

/** Secrets leave the gateway here and nowhere else. */
function issuingEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { keyManagement, catalogue, clock, keys } = ports;
  return [
    endpoint(contract.createKey)(async ({ visitor: { account, plan }, call, body }) => {
      const made = await keyManagement.create({
        accountId: account.id, plan, name: body.name, expiresAt: body.expires_at === null ? null : instant(Date.parse(body.expires_at)),
        models: resolveKeyModels(body.models, catalogue.current()), limit: readLimit(body.spending_limit), actor: actorOf(call, 'owner'),
      });
      if (made.outcome !== 'created') throw creationRefusal(made, plan, clock);
      return viewIssuedKey(made.issued, ports);
    }),
    endpoint(contract.rotateKey)(async ({ visitor: { account }, call, params: { id } }) => {
      const keyId = id as ApiKeyId;
      const rotated = await keyManagement.rotate({ accountId: account.id, keyId, actor: actorOf(call, 'owner') });
      if (rotated.outcome !== 'rotated') throw await keyRefusal(keys, account.id, keyId);
      return viewIssuedKey(rotated.issued, ports);
    }),
  ];
}

/** The keys of the account. */
export function keyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { keyManagement, catalogue, keys } = ports;
  return [
    ...readingEndpoints(ports),
    ...issuingEndpoints(ports),
    endpoint(contract.changeKey)(async ({ visitor: { account }, call, params: { id }, body }) => {
      const keyId = id as ApiKeyId;
      const changed: ApiKey | null = await keyManagement.change({ accountId: account.id, keyId, change: readChange(body, catalogue), actor: actorOf(call, 'owner') });
      if (changed === null) throw await keyRefusal(keys, account.id, keyId);
      return viewKey(changed, ports);
    }),
    endpoint(contract.revokeKey)(async ({ visitor: { account }, call, params: { id } }) => {
      const keyId = id as ApiKeyId;
      const isRevoked = await keyManagement.revoke(account.id, keyId, actorOf(call, 'owner'));
      const key = isRevoked ? await keys.findById(account.id, keyId) : null;
      if (key === null) throw await keyRefusal(keys, account.id, keyId);
      return viewKey(key, ports);
    }),
  ];
}
