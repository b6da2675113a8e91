import {
  afterWrongProof, type AuditedBy, forgetsWrongProofs, type Instant, isOvertaken, lockOf, NO_ATTEMPTS, type PersonId, type ProofAttempts,
  type ProofCommand, type ProofResult, type ProofSpend, raisesAssurance, WRONG_CODES_PER_SESSION,
} from '@tollgate/core';
import { instantOrNull } from '../schema/column-values.js';
import { changesOf, firstOf, type Queries, type Script } from '../script.js';
import type { FactorScripts } from './sql-factor-records.js';

export function* readAttempts(queries: Queries, personId: PersonId): Script<ProofAttempts> {
  const row = yield* firstOf(queries.selectFrom('proof_attempts').selectAll().where('person_id', '=', personId));
  return row === null ? NO_ATTEMPTS : { wrongInARow: Number(row.wrong_in_a_row), lockedUntil: instantOrNull(row.locked_until) };
}

/** Counts a wrong proof, if nothing else was counted since the count was read; gives what counts then. */
function* countWrongProof(queries: Queries, personId: PersonId, at: Instant): Script<ProofAttempts> {
  const before = yield* readAttempts(queries, personId);
  const after = afterWrongProof(before, at);
  const columns = { wrong_in_a_row: after.wrongInARow, locked_until: after.lockedUntil };
  yield* changesOf(queries.insertInto('proof_attempts').values({ person_id: personId, ...columns })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(columns)
      .where('proof_attempts.wrong_in_a_row', '=', BigInt(before.wrongInARow))));
  return after;
}

function* forgetWrongProofs(queries: Queries, personId: PersonId): Script<void> {
  yield* changesOf(queries.deleteFrom('proof_attempts').where('person_id', '=', personId));
}

/** What a person proves in a session, in one transaction: what is proved is spent, and the session is raised, or the wrong proof is counted. */
export class ProofScripts {
  constructor(private readonly queries: Queries, private readonly factors: FactorScripts) {}

  * prove(command: ProofCommand, by: AuditedBy): Script<ProofResult> {
    const { personId, spend, notice } = command;
    if (!(yield* this.isSignedIn(command))) return { outcome: 'not-signed-in' };
    const until = lockOf(yield* readAttempts(this.queries, personId), by.at);
    if (until !== null) return { outcome: 'locked', until };
    if (spend === null || !(yield* this.isSpent(personId, spend, by))) return isOvertaken(spend) ? { outcome: 'refused' } : yield* this.countWrong(command, by);
    const forgets = forgetsWrongProofs(command);
    if (forgets) yield* forgetWrongProofs(this.queries, personId);
    yield* this.renew(command, { kind: spend.kind, forgets }, by);
    if (notice !== null) yield* this.factors.storeNotice(notice);
    return { outcome: 'proven' };
  }

  private* isSignedIn({ sessionId, personId, tokenHash }: ProofCommand): Script<boolean> {
    const session = this.queries.selectFrom('sessions').select('id').where('id', '=', sessionId).where('person_id', '=', personId).where('token_hash', '=', tokenHash);
    return (yield* firstOf(session)) !== null;
  }

  private* isSpent(personId: PersonId, spend: ProofSpend, by: AuditedBy): Script<boolean> {
    switch (spend.kind) {
      case 'password': {
        const proven = this.queries.selectFrom('people').select('id').where('id', '=', personId).where('password_hash', '=', spend.provenHash);
        return (yield* firstOf(proven)) !== null;
      }
      case 'totp': return yield* this.factors.spendTotp(personId, spend);
      case 'recovery': return yield* this.factors.spendRecoveryCode(personId, spend.codeHash, by);
      case 'enrolment': return yield* this.factors.confirm(personId, spend, by);
    }
  }

  /** The token is a new one, so that one which was planted before is worth nothing now. */
  private* renew({ sessionId, tokenHash, nextTokenHash }: ProofCommand, { kind, forgets }: { readonly kind: ProofSpend['kind']; readonly forgets: boolean }, { at }: AuditedBy): Script<void> {
    yield* changesOf(this.queries.updateTable('sessions')
      .set({ token_hash: nextTokenHash, proven_at: at, ...forgets && { wrong_codes: 0 }, ...raisesAssurance(kind) && { assurance: 'two-factor' } })
      .where('id', '=', sessionId).where('token_hash', '=', tokenHash));
  }

  private* countWrong({ personId, sessionId, wrongEndsSession }: ProofCommand, { at }: AuditedBy): Script<ProofResult> {
    const attempts = yield* countWrongProof(this.queries, personId, at);
    yield* changesOf(this.queries.updateTable('sessions').set((session) => ({ wrong_codes: session('wrong_codes', '+', 1n) })).where('id', '=', sessionId));
    if (wrongEndsSession) {
      const tried = this.queries.deleteFrom('sessions').where('id', '=', sessionId).where('wrong_codes', '>=', BigInt(WRONG_CODES_PER_SESSION));
      if (yield* changesOf(tried)) return { outcome: 'ended' };
    }
    const until = lockOf(attempts, at);
    return until === null ? { outcome: 'refused' } : { outcome: 'locked', until };
  }
}
