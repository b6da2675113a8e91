import {
  type AuditedBy, type BeginTotp, type CodeHash, type FactorRecords, type FactorState, MOST_WAITING_MAILS, type PersonId, type ProofCommand,
  type ProofResult, type RemoveTotp, type ReplaceRecoveryCodes, type StoredMail,
} from '@tollgate/core';
import { MailOutboxScripts } from '../mail/sql-mail-outbox.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script, type ScriptRunner } from '../script.js';
import { auditPerson, lowerSessions, type PersonEvent } from './person-removal.js';
import { ProofScripts, readAttempts } from './proof-scripts.js';
import { PersonScripts } from './sql-person-records.js';

/** Transactions over authenticator apps and recovery codes, for any SQL database. */
export class FactorScripts {
  private readonly mail: MailOutboxScripts;

  constructor(private readonly queries: Queries, private readonly people: PersonScripts) {
    this.mail = new MailOutboxScripts(queries);
  }

  * find(personId: PersonId): Script<FactorState> {
    const row = yield* firstOf(this.totpOf(personId).select(['secret', 'created_at', 'confirmed_at']));
    const codes = yield* rowsOf(this.queries.selectFrom('recovery_codes').select('code_hash').where('person_id', '=', personId));
    const totp = row === null ? null : { sealed: row.secret, begunAt: instantFromColumn(row.created_at), confirmedAt: instantOrNull(row.confirmed_at) };
    return { totp, recoveryCodesLeft: codes.length, attempts: yield* readAttempts(this.queries, personId) };
  }

  * begin({ personId, sealed, at }: BeginTotp): Script<boolean> {
    if ((yield* this.people.byId(personId)) === null) return false;
    yield* changesOf(this.queries.deleteFrom('person_factors').where('person_id', '=', personId).where('kind', '=', 'totp').where('confirmed_at', 'is', null));
    const begun = yield* changesOf(this.queries.insertInto('person_factors')
      .values({ id: `totp/${personId}`, person_id: personId, kind: 'totp', secret: sealed, created_at: at, confirmed_at: null, last_step: null })
      .onConflict((conflict) => conflict.doNothing()));
    return begun === 1;
  }

  /** Takes the code of a step later than any before. */
  * spendTotp(personId: PersonId, { sealed, step, resealed }: { readonly sealed: string; readonly step: number; readonly resealed: string | null }): Script<boolean> {
    const spent = yield* changesOf(this.confirmed(personId, sealed).set({ secret: resealed ?? sealed, last_step: step })
      .where((factor) => factor.or([factor('last_step', 'is', null), factor('last_step', '<', BigInt(step))])));
    return spent === 1;
  }

  * spendRecoveryCode(personId: PersonId, codeHash: CodeHash, by: AuditedBy): Script<boolean> {
    const spent = yield* changesOf(this.queries.deleteFrom('recovery_codes').where('person_id', '=', personId).where('code_hash', '=', codeHash));
    if (spent === 1) yield* auditPerson(this.queries, { action: 'recovery-code-used', id: personId }, by);
    return spent === 1;
  }

  * confirm(
    personId: PersonId, { sealed, step, codeHashes }: { readonly sealed: string; readonly step: number; readonly codeHashes: readonly CodeHash[] }, by: AuditedBy,
  ): Script<boolean> {
    const confirmed = yield* changesOf(this.queries.updateTable('person_factors').set({ confirmed_at: by.at, last_step: step })
      .where('person_id', '=', personId).where('kind', '=', 'totp').where('secret', '=', sealed).where('confirmed_at', 'is', null));
    if (confirmed === 0) return false;
    yield* this.putCodes(personId, codeHashes);
    yield* auditPerson(this.queries, { action: 'totp-added', id: personId }, by);
    return true;
  }

  * replaceCodes({ personId, sealed, codeHashes, notice }: ReplaceRecoveryCodes, by: AuditedBy): Script<boolean> {
    const keyed = yield* changesOf(this.confirmed(personId, sealed).set({ secret: sealed }));
    if (keyed === 0) return false;
    yield* this.putCodes(personId, codeHashes);
    yield* this.tell({ action: 'recovery-codes-renewed', id: personId }, notice, by);
    return true;
  }

  * remove({ personId, notice }: RemoveTotp, by: AuditedBy): Script<boolean> {
    const removed = yield* changesOf(this.queries.deleteFrom('person_factors')
      .where('person_id', '=', personId).where('kind', '=', 'totp').where('confirmed_at', 'is not', null));
    if (removed === 0) return false;
    yield* changesOf(this.queries.deleteFrom('recovery_codes').where('person_id', '=', personId));
    yield* lowerSessions(this.queries, personId);
    yield* this.tell({ action: 'totp-removed', id: personId }, notice, by);
    return true;
  }

  * storeNotice(notice: StoredMail): Script<void> {
    yield* this.mail.store(notice, MOST_WAITING_MAILS);
  }

  private* tell(event: PersonEvent, notice: StoredMail, by: AuditedBy): Script<void> {
    yield* auditPerson(this.queries, event, by);
    yield* this.storeNotice(notice);
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
}

/** Second factors in any SQL database. */
export class SqlFactorRecords implements FactorRecords {
  private readonly factors: FactorScripts;
  private readonly proofs: ProofScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    this.factors = new FactorScripts(queries, new PersonScripts(queries));
    this.proofs = new ProofScripts(queries, this.factors);
  }

  find(personId: PersonId): Promise<FactorState> {
    return this.runner.read(() => this.factors.find(personId));
  }

  beginTotp(command: BeginTotp): Promise<boolean> {
    return this.runner.write(() => this.factors.begin(command));
  }

  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult> {
    return this.runner.write(() => this.proofs.prove(command, by));
  }

  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.factors.replaceCodes(command, by));
  }

  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.factors.remove(command, by));
  }
}
