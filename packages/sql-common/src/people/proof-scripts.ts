import type { AuditedBy, PersonId } from '@tollgate/core';
import {
  afterWrongProof, endsUnconfirmed, forgetsWrongProofs, isOvertaken, lockOf, type ProofCommand, type ProofResult, type ProofSpend, raisesAssurance,
  WRONG_CODES_PER_SESSION,
} from '@tollgate/identity';
import { changesOf, firstOf, type Queries, type Script } from '../script/script.js';
import { countFailure, forgetAttempts, readAttempts } from './attempt-scripts.js';
import type { FactorScripts } from './factor-scripts.js';

/** What a person proves in a session, in one transaction: what is proved is spent, and the session is raised, or the wrong proof is counted. */
export class ProofScripts {
  constructor(private readonly queries: Queries, private readonly factors: FactorScripts) {}

  * prove(command: ProofCommand, by: AuditedBy): Script<ProofResult> {
    const { personId, spend, notice } = command;
    if (!(yield* this.isSignedIn(command))) return { outcome: 'not-signed-in' };
    const attempts = yield* readAttempts(this.queries, command);
    if (endsUnconfirmed(command, attempts)) {
      yield* changesOf(this.queries.deleteFrom('sessions').where('id', '=', command.sessionId));
      return { outcome: 'unconfirmed' };
    }
    const until = lockOf(attempts, by.at);
    if (until !== null) return { outcome: 'locked', until };
    if (spend === null || !(yield* this.isSpent(personId, spend, by))) return isOvertaken(spend) ? { outcome: 'refused' } : yield* this.countWrong(command, by);
    const forgets = forgetsWrongProofs(command);
    if (forgets) yield* forgetAttempts(this.queries, command);
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

  private* countWrong(command: ProofCommand, { at }: AuditedBy): Script<ProofResult> {
    const { sessionId, wrongEndsSession } = command;
    const attempts = yield* countFailure(this.queries, command, (before) => afterWrongProof(before, at));
    yield* changesOf(this.queries.updateTable('sessions').set((session) => ({ wrong_codes: session('wrong_codes', '+', 1n) })).where('id', '=', sessionId));
    if (wrongEndsSession) {
      const tried = this.queries.deleteFrom('sessions').where('id', '=', sessionId).where('wrong_codes', '>=', BigInt(WRONG_CODES_PER_SESSION));
      if (yield* changesOf(tried)) return { outcome: 'ended' };
    }
    const until = lockOf(attempts, at);
    return until === null ? { outcome: 'refused' } : { outcome: 'locked', until };
  }
}
