import type { SpendingLimit } from '../billing/key-limit.js';
import { requireDisplayName } from '../errors/require-display-name.js';
import type { Plan } from '../models/plan.js';
import type { Actor } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import type { AccountId, ApiKeyId, ModelSlug } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import type { ApiKeySecret, ApiKeySecretGenerator, SecretHasher } from './api-key-secret.js';
import type { ApiKey } from './api-key.js';
import type { KeyChange, KeyIssue, KeyRepository } from './key-repository.js';

/** Per account. */
export const KEY_CREATIONS_PER_HOUR = 20;
/** Per account; bounded because a rotation writes two audit entries and notifies every gateway. */
export const KEY_ROTATIONS_PER_HOUR = 60;

export interface KeyManagementPorts {
  readonly keys: KeyRepository;
  readonly ids: Pick<IdGenerator, 'apiKeyId'> & ApiKeySecretGenerator;
  readonly hasher: SecretHasher;
  readonly clock: Clock;
}

export interface CreateKeyCommand {
  readonly accountId: AccountId;
  /** Bounds the number of active keys. */
  readonly plan: Plan;
  readonly name: string | null;
  readonly expiresAt: Instant | null;
  /** Default all models; see `resolveKeyModels`. */
  readonly models?: ReadonlySet<ModelSlug> | null;
  /** Default no limit. */
  readonly limit?: SpendingLimit | null;
  readonly actor: Actor;
}

export interface ChangeKeyCommand {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly change: KeyChange;
  readonly actor: Actor;
}

export interface RotateKeyCommand {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly actor: Actor;
}

/** Terms that a replacement takes over from the rotated key. */
type KeyTerms = Pick<ApiKey, 'name' | 'expiresAt' | 'models' | 'limit'>;

/** A new key with its secret, which cannot be read again later. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: ApiKeySecret;
}

export type CreateKeyOutcome =
  | { readonly outcome: 'created'; readonly issued: IssuedKey }
  | { readonly outcome: 'quota-exceeded' | 'expiry-in-the-past' }
  /** `retryAt`: earliest time at which a further call can succeed. */
  | { readonly outcome: 'too-many-per-hour'; readonly retryAt: Instant };

export type RotateKeyOutcome =
  | { readonly outcome: 'rotated'; readonly issued: IssuedKey }
  | { readonly outcome: 'no-such-key' | 'not-active' | 'blocked' }
  /** `retryAt`: earliest time at which a further call can succeed. */
  | { readonly outcome: 'too-many-per-hour'; readonly retryAt: Instant };

/** Serves signed-in owners and operators. Callers with an API key cannot manage keys. */
export class KeyManagement {
  constructor(private readonly ports: KeyManagementPorts) {}

  /** Throws `invalid_request` for an invalid name. */
  async create({ accountId, plan, name, expiresAt, models = null, limit = null, actor }: CreateKeyCommand): Promise<CreateKeyOutcome> {
    requireDisplayName(name);
    if (expiresAt !== null && expiresAt <= this.ports.clock.now()) return { outcome: 'expiry-in-the-past' };
    const issued = this.issue(accountId, { name, expiresAt, models, limit });
    const outcome = await this.ports.keys.create({
      key: issued.key,
      maximumActive: plan.limits.activeKeys,
      maximumPerHour: KEY_CREATIONS_PER_HOUR,
      actor,
    });
    if (outcome === 'created') return { outcome, issued };
    return outcome === 'too-many-per-hour' ? { outcome, retryAt: await this.#nextIssueOf(accountId, 'creation') } : { outcome };
  }

  /** The replacement has the terms that the key has at its revocation. */
  async rotate({ accountId, keyId, actor }: RotateKeyCommand): Promise<RotateKeyOutcome> {
    const old = await this.ports.keys.findById(accountId, keyId);
    if (old === null) return { outcome: 'no-such-key' };
    const issued = this.issue(accountId, old);
    const outcome = await this.ports.keys.rotate({ accountId, revokedId: keyId, replacement: issued.key, maximumPerHour: KEY_ROTATIONS_PER_HOUR, actor });
    if (outcome === 'too-many-per-hour') return { outcome, retryAt: await this.#nextIssueOf(accountId, 'rotation') };
    if (outcome !== 'rotated') return { outcome };
    const key = await this.ports.keys.findById(accountId, issued.key.id);
    return { outcome, issued: { ...issued, key: key ?? issued.key } };
  }

  /** `null` if the account has no such key or the key is revoked. Throws `invalid_request` for an invalid name. */
  async change({ accountId, keyId, change, actor }: ChangeKeyCommand): Promise<ApiKey | null> {
    requireDisplayName(change.name);
    return this.ports.keys.change(accountId, keyId, change, { actor, at: this.ports.clock.now() });
  }

  /** False if the account has no such key or the key is already revoked. */
  revoke(accountId: AccountId, keyId: ApiKeyId, actor: Actor): Promise<boolean> {
    return this.ports.keys.revoke(accountId, keyId, { actor, at: this.ports.clock.now() });
  }

  list(accountId: AccountId): Promise<readonly ApiKey[]> {
    return this.ports.keys.listByAccount(accountId);
  }

  /** Time at which the oldest counted creation or rotation is an hour old. */
  async #nextIssueOf(accountId: AccountId, issue: KeyIssue): Promise<Instant> {
    const { keys, clock } = this.ports;
    const now = clock.now();
    const first = await keys.firstIssueAfter(accountId, issue, later(now, -MILLISECONDS_PER_HOUR));
    return first === null ? now : later(first, MILLISECONDS_PER_HOUR);
  }

  private issue(accountId: AccountId, { name, expiresAt, models, limit }: KeyTerms): IssuedKey {
    const { ids, hasher, clock } = this.ports;
    const secret = ids.apiKeySecret();
    const id = ids.apiKeyId();
    const key: ApiKey = {
      id,
      accountId,
      name,
      hash: hasher.hash(secret),
      hint: secret.hint(),
      createdAt: clock.now(),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      blocked: false,
      models,
      limit,
      lineage: id,
    };
    return { key, secret };
  }
}
