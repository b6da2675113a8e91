import {
  type AccountId, type ApiKey, type ApiKeyId, type CatalogueSource, type Clock, type CreateKeyOutcome, GatewayError, instant, type Instant, type IssuedKey,
  KEY_CREATIONS_PER_HOUR, KEY_ROTATIONS_PER_HOUR, type KeyChange, type KeyRepository, type Plan, resolveKeyModels, secondsUntil, ServiceTokens,
  type SpendingLimit,
} from '@tollgate/core';
import { type BodyOf, contract } from '@tollgate/dashboard-contract';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { unknownAddress } from '../call/unknown-address.js';
import { viewKey, viewKeys } from './key-views.js';

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

/** The only routes that return secrets. */
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
      if (rotated.outcome === 'too-many-per-hour') throw tooManyPerHour(`The account has rotated its keys ${KEY_ROTATIONS_PER_HOUR} times within an hour. Try again later; you can still revoke keys.`, rotated.retryAt, clock);
      if (rotated.outcome !== 'rotated') throw await keyRefusal(keys, account.id, keyId);
      return viewIssuedKey(rotated.issued, ports);
    }),
  ];
}

type Refusal = Exclude<CreateKeyOutcome, { readonly outcome: 'created' }>;

function creationRefusal(refusal: Refusal, { limits }: Plan, clock: Clock): GatewayError {
  switch (refusal.outcome) {
    case 'expiry-in-the-past':
      return new GatewayError('invalid_request', 'expires_at: must be in the future.', { param: 'expires_at' });
    case 'quota-exceeded':
      return new GatewayError('key_quota_exceeded', `The account has ${limits.activeKeys} active keys, as many as its plan allows. Revoke one first.`);
    case 'too-many-per-hour':
      return tooManyPerHour(`The account has created ${KEY_CREATIONS_PER_HOUR} keys within an hour. Try again later; rotations have a limit of their own.`, refusal.retryAt, clock);
  }
}

function tooManyPerHour(message: string, retryAt: Instant, clock: Clock): GatewayError {
  return new GatewayError('key_creations_exceeded', message, { retryAfterSeconds: secondsUntil(retryAt, clock.now()) });
}

/** Explains a key that is unknown, ended or blocked. Another account's id counts as unknown. */
export async function keyRefusal(keys: KeyRepository, accountId: AccountId, id: ApiKeyId): Promise<GatewayError> {
  const key = await keys.findById(accountId, id);
  if (key === null) return unknownAddress();
  if (key.revokedAt !== null) return new GatewayError('conflict', 'The key is revoked.');
  return new GatewayError('conflict', key.blocked ? 'The key is blocked. Ask the operator.' : 'The key has expired.');
}

type GivenLimit = NonNullable<BodyOf<typeof contract.createKey>['spending_limit']>;

function readLimit(given: GivenLimit | null): SpendingLimit | null {
  return given === null ? null : { amount: ServiceTokens.parse(given.svc_tokens), period: given.period };
}

/** Absent fields are unchanged. */
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
