import { type ApiKey, budgetAt, type IssuedKey, type JsonObject, keyLimitOf, type KeySpending, NO_SPENDING, rfc3339 } from '@tollgate/core';
import { encodeBoundedApiKey } from '@tollgate/wire-kit';
import type { OperatorSession } from './operator-session.js';

/** A key, and its spending in the current period of its limit. The spending is `null` for a key without a limit. */
export interface KeyView {
  readonly key: ApiKey;
  readonly spending: KeySpending | null;
}

/** A key as operators see it, with its account. */
export function encodeKey({ key, spending }: KeyView, { catalogue, clock }: OperatorSession): JsonObject {
  return { account_id: key.accountId, ...encodeBoundedApiKey(key, { now: clock.now(), spending, catalogue: catalogue.current() }) };
}

/** A new key with its secret, which is shown once. A replacement takes over the spending of its predecessor. */
export function encodeIssuedKey({ key, secret }: IssuedKey, session: OperatorSession, spending = key.limit === null ? null : NO_SPENDING): JsonObject {
  return { ...encodeKey({ key, spending }, session), secret: secret.reveal() };
}

export function issuedKeyLines({ key, secret }: IssuedKey): readonly string[] {
  const expiry = key.expiresAt === null ? [] : [`It expires at ${rfc3339(key.expiresAt)}.`];
  return [`Key ${key.id} was created. It is shown only once and cannot be recovered:`, secret.reveal(), ...expiry];
}

/** Reads the key's spending in the current period of its limit. */
export async function viewKey({ store, clock }: OperatorSession, key: ApiKey): Promise<KeyView> {
  const limit = keyLimitOf(key);
  return { key, spending: limit === null ? null : await store.keys.spendingOf(budgetAt(limit, clock.now())) };
}

/** `all models`, or the slugs of the permitted models. */
export function modelsText({ models }: ApiKey): string {
  return models === null ? 'all models' : [...models].join(', ');
}

/** `2.5 of 10 a day`; `null` for a key without a limit. */
export function limitText({ key: { limit }, spending }: KeyView): string | null {
  return limit === null ? null : `${spending?.spent.toString() ?? '0'} of ${limit.amount.toString()} a ${limit.period}`;
}
