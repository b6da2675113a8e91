import {
  type Account, type AccountId, type Actor, type ApiKey, type ApiKeyId, type CatalogueSource, type Clock, type CreateKeyOutcome, GatewayError, instant, type Instant, type IssuedKey,
  KEY_CREATIONS_PER_HOUR, KEY_ROTATIONS_PER_HOUR, type KeyChange, type KeyRepository, type Plan, refuseField, resolveKeyModels, secondsUntil, ServiceTokens,
  type SpendingLimit,
} from '@tollgate/core';
import { type BodyOf, contract } from '@tollgate/api-contract';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { unknownAddress } from '../call/unknown-address.js';
import { type KeyViewPorts, type OwnKey, viewKey, viewKeys } from './key-views.js';

export function keyEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...readingEndpoints(ports),
    ...issuingEndpoints(ports),
    endpoint(contract.changeKey)(({ visitor: { account }, call, params: { id }, body }) =>
      changeKey({ accountId: account.id, keyId: id as ApiKeyId, actor: actorOf(call, 'owner'), body }, ports)),
    endpoint(contract.revokeKey)(({ visitor: { account }, call, params: { id } }) =>
      revokeKey({ accountId: account.id, keyId: id as ApiKeyId, actor: actorOf(call, 'owner') }, ports)),
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
      return viewKey(await findKey(account.id, id as ApiKeyId, ports), ports);
    }),
  ];
}

/** The only routes that return secrets of keys to owners. */
function issuingEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.createKey)(({ visitor: { account, plan }, call, body }) => createKey({ account, plan, body, actor: actorOf(call, 'owner') }, ports)),
    endpoint(contract.rotateKey)(({ visitor: { account }, call, params: { id } }) =>
      rotateKey({ accountId: account.id, keyId: id as ApiKeyId, actor: actorOf(call, 'owner') }, ports)),
  ];
}

interface KeyCreation {
  readonly account: Pick<Account, 'id'>;
  /** The plan in force. */
  readonly plan: Plan;
  readonly body: BodyOf<typeof contract.createKey>;
  readonly actor: Actor;
}

type KeyChangePorts = KeyViewPorts & Pick<DashboardPorts, 'keyManagement'>;

/** Throws a `GatewayError` if the core refuses. */
export async function createKey({ account, plan, body, actor }: KeyCreation, ports: KeyChangePorts) {
  const made = await ports.keyManagement.create({
    accountId: account.id, plan, name: body.name, expiresAt: body.expires_at === null ? null : instant(Date.parse(body.expires_at)),
    models: resolveKeyModels(body.models, ports.catalogue.current()), limit: readLimit(body.spending_limit), actor,
  });
  if (made.outcome !== 'created') throw creationRefusal(made, plan, ports.clock);
  return viewIssuedKey(made.issued, ports);
}

interface NamedKey {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly actor: Actor;
}

/** Throws a `GatewayError` if the core refuses. */
export async function rotateKey({ accountId, keyId, actor }: NamedKey, ports: KeyChangePorts) {
  const rotated = await ports.keyManagement.rotate({ accountId, keyId, actor });
  if (rotated.outcome === 'too-many-per-hour') throw tooManyPerHour(`The account has rotated its keys ${KEY_ROTATIONS_PER_HOUR} times within an hour. Try again later; you can still revoke keys.`, rotated.retryAt, ports.clock);
  if (rotated.outcome !== 'rotated') throw await keyRefusal(ports.keys, accountId, keyId);
  return viewIssuedKey(rotated.issued, ports);
}

/** Throws a `GatewayError` if the core refuses. */
export async function changeKey({ accountId, keyId, actor, body }: NamedKey & { readonly body: BodyOf<typeof contract.changeKey> }, ports: KeyChangePorts): Promise<OwnKey> {
  const changed: ApiKey | null = await ports.keyManagement.change({ accountId, keyId, change: readChange(body, ports.catalogue), actor });
  if (changed === null) throw await keyRefusal(ports.keys, accountId, keyId);
  return viewKey(changed, ports);
}

/** Throws a `GatewayError` if the core refuses. */
export async function revokeKey({ accountId, keyId, actor }: NamedKey, ports: KeyChangePorts): Promise<OwnKey> {
  const isRevoked = await ports.keyManagement.revoke(accountId, keyId, actor);
  const key = isRevoked ? await ports.keys.findById(accountId, keyId) : null;
  if (key === null) throw await keyRefusal(ports.keys, accountId, keyId);
  return viewKey(key, ports);
}

/** Throws `not_found`. */
export async function findKey(accountId: AccountId, keyId: ApiKeyId, { keys }: Pick<DashboardPorts, 'keys'>): Promise<ApiKey> {
  const key = await keys.findById(accountId, keyId);
  if (key === null) throw unknownAddress();
  return key;
}

type Refusal = Exclude<CreateKeyOutcome, { readonly outcome: 'created' }>;

function creationRefusal(refusal: Refusal, { limits }: Plan, clock: Clock): GatewayError {
  switch (refusal.outcome) {
    case 'expiry-in-the-past':
      return refuseField('expires_at', 'must be in the future', { code: 'not_in_future' });
    case 'quota-exceeded':
      return new GatewayError('key_quota_exceeded', `The account has reached its plan's limit of ${limits.activeKeys} active keys. Revoke keys until it has fewer.`);
    case 'too-many-per-hour':
      return tooManyPerHour(`The account has created ${KEY_CREATIONS_PER_HOUR} keys within an hour. Try again later; rotations have a limit of their own.`, refusal.retryAt, clock);
  }
}

function tooManyPerHour(message: string, retryAt: Instant, clock: Clock): GatewayError {
  return new GatewayError('key_creations_exceeded', message, { retryAfterSeconds: secondsUntil(retryAt, clock.now()) });
}

/** Returns the refusal for a key that is unknown, ended or blocked. A key of another account counts as unknown. */
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

async function viewIssuedKey({ key, secret }: IssuedKey, ports: KeyViewPorts) {
  return { ...await viewKey(key, ports), secret: secret.reveal() };
}
