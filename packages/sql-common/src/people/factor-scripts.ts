import type { AuditedBy, CodeHash, PersonId } from '@tollgate/core';
import {
  afterWrongPassword, type BeginTotp, type FactorState, type RemoveTotp, type ReplaceRecoveryCodes, type StoredMail, type WrongPassword,
} from '@tollgate/identity';
import { MailOutboxScripts } from '../mail/sql-mail-outbox.js';
import { instantFromColumn, instantOrNull } from '../schema/columns.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';
import { countFailure, readAttempts } from './attempt-scripts.js';
import { auditPerson, type PersonEvent } from './audit-person.js';
import { lowerSessions } from './person-scripts.js';
import type { PersonScripts } from './sql-person-records.js';

/** Transactions over authenticator apps and recovery codes, for any SQL database. */
export class FactorScripts {
  private readonly mail: MailOutboxScripts;

  constructor(private readonly queries: Queries, private readonly people: PersonScripts) {
    this.mail = new MailOutboxScripts(queries);
  }

  * find(personId: PersonId): Script<FactorState> {
    const row = yield* firstOf(this.totpOf(personId).select(['secret', 'created_at', 'confirmed_at']));
    const codes = yield* rowsOf(this.queries.selectFrom('recovery_codes').select('code_hash').where('person_id', '=', personId));
    const attempts = {
      known: yield* readAttempts(this.queries, { personId, browser: 'known' }), unknown: yield* readAttempts(this.queries, { personId, browser: 'unknown' }),
    };
    const totp = row === null ? null : { sealed: row.secret, begunAt: instantFromColumn(row.created_at), confirmedAt: instantOrNull(row.confirmed_at) };
    return { totp, recoveryCodesLeft: codes.length, attempts };
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

  * noteWrongPassword(wrong: WrongPassword): Script<void> {
    if ((yield* this.people.byId(wrong.personId)) !== null) yield* countFailure(this.queries, wrong, afterWrongPassword);
  }

  * storeNotice(notice: StoredMail): Script<void> {
    yield* this.mail.store(notice);
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
