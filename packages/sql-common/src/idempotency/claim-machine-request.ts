import { type AccountId, type Instant, KeyClaimed, later, MACHINE_CLAIM_KEPT_MILLISECONDS, type MachineClaim, MAX_CLAIMS_OF_MACHINE } from '@tollgate/core';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export interface ClaimedChange {
  readonly at: Instant;
  /** Subject of the change; `null` if nothing changed. */
  readonly subject: string | null;
  readonly accountId: AccountId | null;
}

/**
 * Claims a machine's idempotency key in the transaction of the change. If another request has the key, throws `KeyClaimed`, which rolls the change
 * back. If the same request writes a further audit entry, its subject replaces the earlier one.
 */
export function* claimMachineRequest(queries: Queries, claim: MachineClaim, change: ClaimedChange): Script<void> {
  if (!(yield* tryToClaim(queries, claim, change))) throw new KeyClaimed();
}

/** Returns `false`, without changing the claim, if another request has the key. */
export function* tryToClaim(queries: Queries, { machineId, key, fingerprint, requestId }: MachineClaim, { at, subject, accountId }: ClaimedChange): Script<boolean> {
  yield* changesOf(queries.deleteFrom('machine_requests').where('machine_id', '=', machineId).where('key', '=', key).where('expires_at', '<=', BigInt(at)));
  const newest = yield* firstOf(queries.selectFrom('machine_requests').select('number').where('machine_id', '=', machineId).orderBy('number', 'desc').limit(1));
  const number = (newest?.number ?? 0n) + 1n;
  const claimed = yield* changesOf(queries.insertInto('machine_requests')
    .values({
      machine_id: machineId, key, number, fingerprint, request_id: requestId, subject, account_id: accountId, claimed_at: at,
      expires_at: later(at, MACHINE_CLAIM_KEPT_MILLISECONDS), status: null, answer: null,
    })
    .onConflict((conflict) => conflict.columns(['machine_id', 'key']).doUpdateSet({ subject, account_id: accountId }).where('machine_requests.request_id', '=', requestId)));
  yield* changesOf(queries.deleteFrom('machine_requests').where('machine_id', '=', machineId).where('number', '<=', number - BigInt(MAX_CLAIMS_OF_MACHINE)));
  return claimed === 1;
}

/** Deletes the stored answers about an account. Their claims remain, so that a repeated request is answered with the account's present state. */
export function* eraseMachineAnswers(queries: Queries, accountId: AccountId): Script<void> {
  yield* changesOf(queries.updateTable('machine_requests').set({ status: null, answer: null }).where('account_id', '=', accountId));
}
