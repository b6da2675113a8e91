import type { AccountId, ApiKeyId, KeyHash, ModelSlug } from '../primitives.js';
import { type Instant, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth, type UtcDay, utcDayOf, type UtcMonth, utcMonthOf } from '../time.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { CatalogueSource } from '../ports/model-provider.js';
import type { Clock, SecretHasher } from '../ports/system.js';
import type { KeyDirectory } from '../ports/accounts.js';
import { type Caller, standingOf } from '../accounts/account.js';
import { standingRefusal } from '../accounts/account-administration.js';

/** A stored API key. The secret itself is nowhere: only its hash, and a hint to tell keys apart by. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string | null;
  readonly hash: KeyHash;
  /** `sk-ab…wxyz`: enough to recognise a key, too little to use it. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly blocked: boolean;
  /** The models it may use; `null`: all that its account may. */
  readonly models: ReadonlySet<ModelSlug> | null;
  /** `null`: none of its own. */
  readonly limit: SpendingLimit | null;
  /** The first of the keys that were rotated into this one, or the key itself: what it has spent is counted under it. */
  readonly lineage: ApiKeyId;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** Revoked wins over expired; a key expires at its date, not after it. */
export function apiKeyState(key: ApiKey, now: Instant): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** What bounds the spending of a key; `null`: only the balance. */
export function keyLimitOf({ limit, lineage }: ApiKey): KeyLimit | null {
  return limit === null ? null : { ...limit, lineage };
}

export const API_KEY_PREFIX = 'sk-';
/** Random characters after the prefix. */
export const API_KEY_RANDOM_LENGTH = 48;
export const API_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_PATTERN = /^sk-[A-Za-z0-9]{48}$/;
const REDACTED = 'sk-[redacted]';

/** The full key as its owner holds it. Refuses to print itself: `toString` and `toJSON` give `sk-[redacted]`. */
export class ApiKeySecret {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `null` when the text does not have the form of a key. */
  static parse(text: string): ApiKeySecret | null {
    return SECRET_PATTERN.test(text) ? new ApiKeySecret(text) : null;
  }

  /** The key in clear: for hashing, and for showing once at creation. */
  reveal(): string {
    return this.#text;
  }

  /** First five and last four characters, for telling keys apart in a list. */
  hint(): string {
    return `${this.#text.slice(0, API_KEY_PREFIX.length + 2)}…${this.#text.slice(-4)}`;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}

/** The most that a key may spend in each UTC day or month. */
export interface SpendingLimit {
  readonly amount: ServiceTokens;
  readonly period: 'day' | 'month';
}

/** A key's limit, and what its spending is counted under. */
export interface KeyLimit extends SpendingLimit {
  /** The first of the keys that were rotated into this one, or the key itself. */
  readonly lineage: ApiKeyId;
}

/** A key's limit in one period; what a request counts against from its reservation to its end, also when the period is over by then. */
export interface KeyBudget {
  readonly lineage: ApiKeyId;
  readonly period: UtcDay | UtcMonth;
  readonly limit: ServiceTokens;
}

/** Of one period: what ended requests were charged, and what running ones hold. */
export interface KeySpending {
  readonly spent: ServiceTokens;
  readonly reserved: ServiceTokens;
}

export const NO_SPENDING: KeySpending = { spent: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

/** The budget of the period that an instant falls in. */
export function budgetAt({ lineage, amount, period }: KeyLimit, at: Instant): KeyBudget {
  return { lineage, period: period === 'day' ? utcDayOf(at) : utcMonthOf(at), limit: amount };
}

/** When the period that an instant falls in ends, and the limit is whole again. */
export function endOfPeriod({ period }: SpendingLimit, at: Instant): Instant {
  return period === 'day' ? startOfNextUtcDay(at) : startOfNextUtcMonth(at);
}

/** What is left of a budget. Nothing where the limit was lowered below what is spent. */
export function leftOf({ limit }: KeyBudget, { spent, reserved }: KeySpending): ServiceTokens {
  const left = limit.minus(spent).minus(reserved);
  return left.isNegative() ? ServiceTokens.ZERO : left;
}

export interface KeyLimitExcess {
  readonly limit: SpendingLimit;
  readonly left: ServiceTokens;
  /** The least that would do. */
  readonly needed: ServiceTokens;
  readonly now: Instant;
}

/** The error of a request that what is left of its key's limit cannot pay. */
export function keyLimitRefusal({ limit, left, needed, now }: KeyLimitExcess): GatewayError {
  const { amount, period } = limit;
  const message = `The spending limit of this API key leaves too little: ${left.toString()} of ${amount.toString()} service tokens a ${period} (UTC) are left, `
    + `and this request needs at least ${needed.toString()} set aside.`;
  const isPermanent = amount.isLessThan(needed);
  const text = isPermanent ? `${message} It is larger than the whole limit and can never fit.` : message;
  return new GatewayError('api_key_limit_exceeded', text, { retryAfterSeconds: secondsUntil(endOfPeriod(limit, now), now), isPermanent });
}

export interface AuthenticatorPorts {
  readonly keys: KeyDirectory;
  readonly catalogue: CatalogueSource;
  readonly hasher: SecretHasher;
  readonly clock: Clock;
}

/** One text for every key that does not work, so that it cannot be told which keys once existed. */
function invalidKey(accountId?: AccountId): GatewayError {
  return new GatewayError('invalid_api_key', 'The API key is not valid.', accountId === undefined ? {} : { accountId });
}

/** Tells who is calling. The only place where a secret becomes a `Caller`. */
export class Authenticator {
  constructor(private readonly ports: AuthenticatorPorts) {}

  /** `credential` is what the client sent as its key, `null` when it sent none. Throws the refusals of the specification, section 5. */
  async authenticate(credential: string | null): Promise<Caller> {
    const holder = await this.ports.keys.findByHash(this.hashOf(credential));
    if (holder === null) throw invalidKey();
    const { key, account } = holder;
    if (apiKeyState(key, this.ports.clock.now()) !== 'active') throw invalidKey(account.id);
    if (key.blocked) throw new GatewayError('api_key_blocked', 'This API key is blocked.', { accountId: account.id });
    const standing = standingOf(account);
    if (standing !== 'good') throw standingRefusal(standing, account.id);
    const plan = this.ports.catalogue.current().planInForce(account.planId);
    return { account, plan, keyId: key.id, keyModels: key.models, keyLimit: keyLimitOf(key) };
  }

  private hashOf(credential: string | null): KeyHash {
    if (credential === null) {
      throw new GatewayError('missing_api_key', 'No API key was sent. Send it as "Authorization: Bearer sk-..." or as "x-api-key: sk-...".');
    }
    const secret = ApiKeySecret.parse(credential);
    if (secret === null) throw invalidKey();
    return this.ports.hasher.hash(secret);
  }
}
