import type { AuditedBy, PersonId } from '@tollgate/core';
import {
  decideIssuerAdmission, type IssuerAdmission, type IssuerAdmissionOutcome, type IssuerRecords, type IssuerSubject, ownAct, type Person,
} from '@tollgate/identity';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditPerson } from './audit-person.js';
import { findPersonByEmail } from './person-rows.js';
import { registerPerson } from './register-person.js';
import { takeChallenge } from './take-challenge.js';
import { vouchFor } from './verify-address.js';

type Newcomer = NonNullable<IssuerAdmission['newcomer']>;

export class SqlIssuerRecords implements IssuerRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  admit(admission: IssuerAdmission): Promise<IssuerAdmissionOutcome> {
    return this.runner.write(() => this.admitOrRefuse(admission));
  }

  private* admitOrRefuse({ subject, newcomer, signUp, challenge, at, address }: IssuerAdmission): Script<IssuerAdmissionOutcome> {
    if (!(yield* takeChallenge(this.queries, challenge, at))) return { outcome: 'refused' };
    const linked = yield* this.personOf(subject);
    if (linked !== null) return { outcome: 'admitted', personId: linked };
    if (newcomer === null) return { outcome: 'email-not-verified' };
    const record = yield* findPersonByEmail(this.queries, newcomer.person.email);
    const hasOtherSubject = record !== null && (yield* this.hasSubject(record.person.id, subject));
    const decided = decideIssuerAdmission(record === null ? null : { record, hasOtherSubject }, signUp);
    if (!('person' in decided) && decided.step !== 'register') return { outcome: decided.step };
    const person = 'person' in decided ? decided.person : newcomer.person;
    const by = ownAct(person.id, at, address);
    if (decided.step === 'register') yield* this.register(newcomer, by);
    if (decided.step === 'take-over') yield* this.takeOver(person, newcomer, by);
    yield* this.link(person.id, subject, by);
    return { outcome: 'admitted', personId: person.id };
  }

  private* personOf({ issuer, subject }: IssuerSubject): Script<PersonId | null> {
    const query = this.queries.selectFrom('issuer_links').select('person_id').where('issuer', '=', issuer).where('subject', '=', subject);
    return ((yield* firstOf(query))?.person_id ?? null) as PersonId | null;
  }

  private* hasSubject(personId: PersonId, { issuer }: IssuerSubject): Script<boolean> {
    const query = this.queries.selectFrom('issuer_links').select('subject').where('person_id', '=', personId).where('issuer', '=', issuer);
    return (yield* firstOf(query)) !== null;
  }

  private* register({ person, ...verified }: Newcomer, by: AuditedBy): Script<void> {
    yield* registerPerson(this.queries, { person, passwordHash: null, account: verified.account }, by);
    yield* vouchFor(this.queries, person.id, { ...verified, by });
  }

  private* takeOver({ id }: Person, verified: Newcomer, by: AuditedBy): Script<void> {
    yield* auditPerson(this.queries, { action: 'sign-up-discarded', id }, by);
    yield* vouchFor(this.queries, id, { ...verified, by });
  }

  private* link(personId: PersonId, { issuer, subject }: IssuerSubject, by: AuditedBy): Script<void> {
    yield* changesOf(this.queries.insertInto('issuer_links').values({ issuer, subject, person_id: personId, created_at: by.at }));
    yield* auditPerson(this.queries, { action: 'issuer-linked', id: personId }, by);
  }
}
