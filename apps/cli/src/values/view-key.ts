import { type ApiKey, budgetAt, keyLimitOf } from '@tollgate/core';
import type { KeyView } from '../encoding/encode-key.js';
import type { OperatorSession } from '../program/operator-session.js';

/** A key with what counts against its limit now. */
export async function viewKey({ store, clock }: OperatorSession, key: ApiKey): Promise<KeyView> {
  const limit = keyLimitOf(key);
  return { key, spending: limit === null ? null : await store.keys.spendingOf(budgetAt(limit, clock.now())) };
}

/** `all models`, or their slugs. */
export function modelsText({ models }: ApiKey): string {
  return models === null ? 'all models' : [...models].join(', ');
}

/** `2.5 of 10 a day`; `null` for a key without a limit. */
export function limitText({ key: { limit }, spending }: KeyView): string | null {
  return limit === null ? null : `${spending?.spent.toString() ?? '0'} of ${limit.amount.toString()} a ${limit.period}`;
}
