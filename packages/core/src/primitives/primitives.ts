/** Gives a primitive a name of its own, so that an `AccountId` is never passed where a `RequestId` is due. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
declare const brand: unique symbol;

export type AccountId = Brand<string, 'AccountId'>;
/** `person_<id>` */
export type PersonId = Brand<string, 'PersonId'>;
/** `session_<id>`: names a browser's session; its cookie holds a secret instead. */
export type SessionId = Brand<string, 'SessionId'>;
/** `passkey_<id>`: names a passkey towards its person; authenticators know it by its credential id. */
export type PasskeyId = Brand<string, 'PasskeyId'>;
export type ApiKeyId = Brand<string, 'ApiKeyId'>;
/** `req_<id>`: names one request in headers, errors, the usage record and the ledger. */
export type RequestId = Brand<string, 'RequestId'>;
export type ReservationId = Brand<string, 'ReservationId'>;
export type ModelSlug = Brand<string, 'ModelSlug'>;
export type PlanId = Brand<string, 'PlanId'>;
/** Names one run of one process; the owner of the reservations that the run opened. */
export type ProcessId = Brand<string, 'ProcessId'>;
/** SHA-256 of an API key, as 64 lower-case hexadecimal digits. */
export type KeyHash = Brand<string, 'KeyHash'>;
/** SHA-256 of a secret that is handed out once, as 64 lower-case hexadecimal digits. */
export type TokenHash = Brand<string, 'TokenHash'>;
/** A keyed hash of a recovery code, as 64 lower-case hexadecimal digits. */
export type CodeHash = Brand<string, 'CodeHash'>;
/** A number of model tokens. Never money. */
export type TokenCount = Brand<number, 'TokenCount'>;

/** Marks a whole number that is known to be zero or more as a count of model tokens. */
export function tokenCount(value: number): TokenCount {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a token count: ${value}`);
  return value as TokenCount;
}

export const NO_TOKENS = 0 as TokenCount;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A JSON object that the client wrote: to look into, and to pass on as it was written. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}

/** What the code relies on does not hold. Trying the same again changes nothing. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';

  constructor(why: string) {
    super(`invariant broken: ${why}`);
  }
}

/** States what the code relies on; the message says why it must hold. Throws `BrokenInvariant`. */
export function invariant(condition: boolean, why: string): asserts condition {
  if (!condition) throw new BrokenInvariant(why);
}

/** Closes a `switch` over a union: a member added later fails the type check here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
