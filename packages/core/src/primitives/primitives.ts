/** A nominal type: an `AccountId` cannot be passed as a `RequestId`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
declare const brand: unique symbol;

export type AccountId = Brand<string, 'AccountId'>;
/** `person_<id>` */
export type PersonId = Brand<string, 'PersonId'>;
/** `session_<id>`. The cookie holds a separate secret. */
export type SessionId = Brand<string, 'SessionId'>;
/** `passkey_<id>`. Differs from the authenticator's credential id. */
export type PasskeyId = Brand<string, 'PasskeyId'>;
/** `mach_<id>`. Differs from the machine's secret. */
export type MachineId = Brand<string, 'MachineId'>;
export type ApiKeyId = Brand<string, 'ApiKeyId'>;
/** `req_<id>`. In headers, errors, usage record and ledger. */
export type RequestId = Brand<string, 'RequestId'>;
export type ReservationId = Brand<string, 'ReservationId'>;
export type ModelSlug = Brand<string, 'ModelSlug'>;
export type PlanId = Brand<string, 'PlanId'>;
export type PriceListId = Brand<string, 'PriceListId'>;
/** New at each start; owns the reservations of that run. */
export type ProcessId = Brand<string, 'ProcessId'>;
/** SHA-256 of an API key, 64 lower-case hex digits. */
export type KeyHash = Brand<string, 'KeyHash'>;
/** SHA-256 of a single-use secret, 64 lower-case hex digits. */
export type TokenHash = Brand<string, 'TokenHash'>;
/** HMAC of a recovery code, 64 lower-case hex digits. */
export type CodeHash = Brand<string, 'CodeHash'>;
export type TokenCount = Brand<number, 'TokenCount'>;

export function tokenCount(value: number): TokenCount {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a token count: ${value}`);
  return value as TokenCount;
}

export const NO_TOKENS = 0 as TokenCount;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A client's object, also forwarded exactly as written. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}

/** An assumption of the code does not hold. Retrying does not help. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';

  constructor(why: string) {
    super(`invariant broken: ${why}`);
  }
}

/** Throws `BrokenInvariant`. */
export function invariant(condition: boolean, why: string): asserts condition {
  if (!condition) throw new BrokenInvariant(why);
}

/** Makes a switch that misses a member of the union fail to compile. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
