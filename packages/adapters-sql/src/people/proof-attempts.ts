import { afterWrongProof, type Instant, NO_ATTEMPTS, type PersonId, type ProofAttempts } from '@tollgate/core';
import { instantOrNull } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, type Script } from '../script/script.js';

export function* readAttempts(queries: Queries, personId: PersonId): Script<ProofAttempts> {
  const row = yield* firstOf(queries.selectFrom('proof_attempts').selectAll().where('person_id', '=', personId));
  return row === null ? NO_ATTEMPTS : { wrongInARow: Number(row.wrong_in_a_row), lockedUntil: instantOrNull(row.locked_until) };
}

/** Counts a wrong proof, if nothing else was counted since the count was read; gives what counts then. */
export function* countWrongProof(queries: Queries, personId: PersonId, at: Instant): Script<ProofAttempts> {
  const before = yield* readAttempts(queries, personId);
  const after = afterWrongProof(before, at);
  const columns = { wrong_in_a_row: after.wrongInARow, locked_until: after.lockedUntil };
  yield* changesOf(queries.insertInto('proof_attempts').values({ person_id: personId, ...columns })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(columns)
      .where('proof_attempts.wrong_in_a_row', '=', BigInt(before.wrongInARow))));
  return after;
}

export function* forgetWrongProofs(queries: Queries, personId: PersonId): Script<void> {
  yield* changesOf(queries.deleteFrom('proof_attempts').where('person_id', '=', personId));
}
