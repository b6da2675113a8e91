import type { PersonId } from '@tollgate/core';
import { type BrowserStanding, type FailureNotice, type FailureWarnings, NO_ATTEMPTS, noticeOfFailure, type ProofAttempts } from '@tollgate/identity';
import { PROOF_ATTEMPT_COLUMNS } from '../schema/column-lists.js';
import { instantOrNull } from '../schema/column-values.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { storeMail } from './store-mail.js';

const TABLES = { known: 'proof_attempts', unknown: 'stranger_attempts' } as const satisfies Readonly<Record<BrowserStanding, string>>;

export interface Counted {
  readonly personId: PersonId;
  readonly browser: BrowserStanding;
}

/** Attempts since the last correct proof. */
export function* readAttempts(queries: Queries, { personId, browser }: Counted): Script<ProofAttempts> {
  const row = yield* firstOf(queries.selectFrom(TABLES[browser]).select(PROOF_ATTEMPT_COLUMNS).where('person_id', '=', personId));
  if (row === null) return NO_ATTEMPTS;
  return {
    wrongInARow: Number(row.wrong_in_a_row), lockedUntil: instantOrNull(row.locked_until), failures: Number(row.failures), lastNotice: row.told as FailureNotice | null,
  };
}

/**
 * Counts a failure, and stores the notice that it makes due. If another failure was counted since the read, stores nothing. Returns the new counts.
 */
export function* countFailure(
  queries: Queries, { personId, browser, warnings }: Counted & { readonly warnings: FailureWarnings }, next: (before: ProofAttempts) => ProofAttempts,
): Script<ProofAttempts> {
  const before = yield* readAttempts(queries, { personId, browser });
  const after = next(before);
  const notice = noticeOfFailure(before, after);
  const columns = { wrong_in_a_row: after.wrongInARow, locked_until: after.lockedUntil, failures: after.failures, told: notice ?? after.lastNotice };
  const counted = yield* changesOf(queries.insertInto(TABLES[browser]).values({ person_id: personId, ...columns })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(columns)
      .where(`${TABLES[browser]}.failures`, '=', BigInt(before.failures))));
  if (counted === 1 && notice !== null) yield* storeMail(queries, warnings[notice]);
  return after;
}

/** Deletes all counts after a correct proof. If the browser is known, the next notice about unknown browsers is permitted again. */
export function* forgetAttempts(queries: Queries, { personId, browser }: Counted): Script<void> {
  yield* changesOf(queries.deleteFrom(TABLES[browser]).where('person_id', '=', personId));
  if (browser === 'known') yield* tellAgain(queries, personId);
}

/** Resets the number of failures after a complete sign-in, but not the number of consecutive wrong proofs. */
export function* forgetFailures(queries: Queries, { personId, browser }: Counted): Script<void> {
  yield* changesOf(queries.updateTable(TABLES[browser]).set({ failures: 0, told: null }).where('person_id', '=', personId));
  if (browser === 'known') yield* tellAgain(queries, personId);
}

function* tellAgain(queries: Queries, personId: PersonId): Script<void> {
  yield* changesOf(queries.updateTable(TABLES.unknown).set({ told: null }).where('person_id', '=', personId).where('told', 'is not', null));
}
