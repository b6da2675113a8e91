import type { AuditedBy, CodeHash, PersonId } from '@tollgate/core';
import {
  afterWrongPassword, afterWrongProof, type BeginTotp, endsUnconfirmed, type FactorRecords, type FactorState, forgetsWrongProofs, isOvertaken, lockOf,
  type ProofCommand, type ProofResult, type ProofSpend, raisesAssurance, type RemoveTotp, type ReplaceRecoveryCodes, type StoredMail,
  WRONG_CODES_PER_SESSION, type WrongPassword,
} from '@tollgate/identity';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditPerson, type PersonEvent } from './audit-person.js';
import { findPerson } from './person-rows.js';
import { countFailure, forgetAttempts, readAttempts } from './proof-attempts.js';
import { lowerSessions } from './remove-person.js';
import { storeMail } from './store-mail.js';

export class SqlFactorRecords implements FactorRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  find(personId: PersonId): Promise<FactorState> {
    return this.runner.read(() => this.stateOf(personId));
  }

  beginTotp(command: BeginTotp): Promise<boolean> {
    return this.runner.write(() => this.insertTotp(command));
  }

  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult> {
    return this.runner.write(() => this.spendOrCount(command, by));
  }

  noteWrongPassword(wrong: WrongPassword): Promise<void> {
    return this.runner.write(() => this.countWrongPassword(wrong));
  }

  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.replaceCodes(command, by));
  }

  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.deleteTotp(command, by));
  }

  private* stateOf(personId: PersonId): Script<FactorState> {
    const row = yield* firstOf(this.totpOf(personId).select(['secret', 'created_at', 'confirmed_at']));
    const codes = yield* rowsOf(this.queries.selectFrom('recovery_codes').select('code_hash').where('person_id', '=', personId));
    const attempts = {
      known: yield* readAttempts(this.queries, { personId, browser: 'known' }), unknown: yield* readAttempts(this.queries, { personId, browser: 'unknown' }),
    };
    const totp = row === null ? null : { sealed: row.secret, begunAt: instantFromColumn(row.created_at), confirmedAt: instantOrNull(row.confirmed_at) };
    return { totp, recoveryCodesLeft: codes.length, attempts };
  }

  private* insertTotp({ personId, sealed, at }: BeginTotp): Script<boolean> {
    if ((yield* findPerson(this.queries, personId)) === null) return false;
    yield* changesOf(this.queries.deleteFrom('person_factors').where('person_id', '=', personId).where('kind', '=', 'totp').where('confirmed_at', 'is', null));
    const begun = yield* changesOf(this.queries.insertInto('person_factors')
      .values({ id: `totp/${personId}`, person_id: personId, kind: 'totp', secret: sealed, created_at: at, confirmed_at: null, last_step: null })
      .onConflict((conflict) => conflict.doNothing()));
    return begun === 1;
  }

  /** Accepts a time step only if it is later than all accepted before. */
  private* spendTotp(personId: PersonId, { sealed, step, resealed }: { readonly sealed: string; readonly step: number; readonly resealed: string | null }): Script<boolean> {
    const spent = yield* changesOf(this.confirmed(personId, sealed).set({ secret: resealed ?? sealed, last_step: step })
      .where((factor) => factor.or([factor('last_step', 'is', null), factor('last_step', '<', BigInt(step))])));
    return spent === 1;
  }

  private* spendRecoveryCode(personId: PersonId, codeHash: CodeHash, by: AuditedBy): Script<boolean> {
    const spent = yield* changesOf(this.queries.deleteFrom('recovery_codes').where('person_id', '=', personId).where('code_hash', '=', codeHash));
    if (spent === 1) yield* auditPerson(this.queries, { action: 'recovery-code-used', id: personId }, by);
    return spent === 1;
  }

  private* confirm(
    personId: PersonId, { sealed, step, codeHashes }: { readonly sealed: string; readonly step: number; readonly codeHashes: readonly CodeHash[] }, by: AuditedBy,
  ): Script<boolean> {
    const confirmed = yield* changesOf(this.queries.updateTable('person_factors').set({ confirmed_at: by.at, last_step: step })
      .where('person_id', '=', personId).where('kind', '=', 'totp').where('secret', '=', sealed).where('confirmed_at', 'is', null));
    if (confirmed === 0) return false;
    yield* this.putCodes(personId, codeHashes);
    yield* auditPerson(this.queries, { action: 'totp-added', id: personId }, by);
    return true;
  }

  private* replaceCodes({ personId, sealed, codeHashes, notice }: ReplaceRecoveryCodes, by: AuditedBy): Script<boolean> {
    const keyed = yield* changesOf(this.confirmed(personId, sealed).set({ secret: sealed }));
    if (keyed === 0) return false;
    yield* this.putCodes(personId, codeHashes);
    yield* this.tell({ action: 'recovery-codes-renewed', id: personId }, notice, by);
    return true;
  }

  private* deleteTotp({ personId, notice }: RemoveTotp, by: AuditedBy): Script<boolean> {
    const removed = yield* changesOf(this.queries.deleteFrom('person_factors')
      .where('person_id', '=', personId).where('kind', '=', 'totp').where('confirmed_at', 'is not', null));
    if (removed === 0) return false;
    yield* changesOf(this.queries.deleteFrom('recovery_codes').where('person_id', '=', personId));
    yield* lowerSessions(this.queries, personId);
    yield* this.tell({ action: 'totp-removed', id: personId }, notice, by);
    return true;
  }

  private* countWrongPassword(wrong: WrongPassword): Script<void> {
    if ((yield* findPerson(this.queries, wrong.personId)) !== null) yield* countFailure(this.queries, wrong, afterWrongPassword);
  }

  private* tell(event: PersonEvent, notice: StoredMail, by: AuditedBy): Script<void> {
    yield* auditPerson(this.queries, event, by);
    yield* storeMail(this.queries, notice);
  }

  private* putCodes(personId: PersonId, codeHashes: readonly CodeHash[]): Script<void> {
    yield* changesOf(this.queries.deleteFrom('recovery_codes').where('person_id', '=', personId));
    yield* changesOf(this.queries.insertInto('recovery_codes').values(codeHashes.map((code_hash) => ({ person_id: personId, code_hash }))));
  }

  private totpOf(personId: PersonId) {
    return this.queries.selectFrom('person_factors').where('person_id', '=', personId).where('kind', '=', 'totp');
  }

  private confirmed(personId: PersonId, sealed: string) {
    return this.queries.updateTable('person_factors')
      .where('person_id', '=', personId).where('kind', '=', 'totp').where('secret', '=', sealed).where('confirmed_at', 'is not', null);
  }

  private* spendOrCount(command: ProofCommand, by: AuditedBy): Script<ProofResult> {
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
    if (notice !== null) yield* storeMail(this.queries, notice);
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
      case 'totp': return yield* this.spendTotp(personId, spend);
      case 'recovery': return yield* this.spendRecoveryCode(personId, spend.codeHash, by);
      case 'enrolment': return yield* this.confirm(personId, spend, by);
    }
  }

  /** Sets a new session token, so that one that an attacker planted before the proof becomes useless. */
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
