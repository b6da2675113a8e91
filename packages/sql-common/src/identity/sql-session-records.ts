import { type AuditedBy, type Instant, later, type MachineId, type PersonId, type SessionId, type TokenHash } from '@tollgate/core';
import {
  type Assurance, type BrowserStanding, MAX_SESSION_MILLISECONDS, MAX_SESSIONS, needsMailedLink, type NewSession, type PersonRecord, type ProvenBy,
  type Session, type SessionChoice, type SessionRecord, type SessionRecords, type SignInWay,
} from '@tollgate/identity';
import type { Selectable } from 'kysely';
import { SESSION_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import type { SessionTable } from '../schema/identity-tables.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditPerson } from './audit-person.js';
import { findPerson } from './person-rows.js';
import { forgetFailures, readAttempts } from './proof-attempts.js';

function sessionFromRow(row: Selectable<SessionTable>): Session {
  return {
    id: row.id as SessionId, personId: row.person_id as PersonId, signedInBy: row.signed_in_by as SignInWay, assurance: row.assurance as Assurance,
    createdAt: instantFromColumn(row.created_at), provenAt: instantFromColumn(row.proven_at), lastUsedAt: instantFromColumn(row.last_used_at), address: row.address, userAgent: row.user_agent,
    machineId: row.machine_id as MachineId | null,
  };
}

export class SqlSessionRecords implements SessionRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  begin(session: NewSession): Promise<boolean> {
    return this.runner.write(() => this.insert(session));
  }

  find(tokenHash: TokenHash): Promise<SessionRecord | null> {
    return this.runner.read(() => this.withToken(tokenHash));
  }

  async noteUse(id: SessionId, at: Instant, address: string): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.updateTable('sessions').set({ last_used_at: at, address: storableText(address) })
      .where('id', '=', id).where('last_used_at', '<', BigInt(at))));
  }

  async list(personId: PersonId): Promise<readonly Session[]> {
    return (await this.runner.read(() => rowsOf(this.newestFirst(personId).select(SESSION_COLUMNS)))).map(sessionFromRow);
  }

  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number> {
    return this.runner.write(() => (by === undefined ? this.delete(personId, which) : this.endFor(personId, which, by)));
  }

  private* insert({ session, tokenHash, provenBy, replaces, forgets }: NewSession): Script<boolean> {
    const record = yield* findPerson(this.queries, session.personId);
    if (record === null || !(yield* this.holds(record, provenBy))) return false;
    if (replaces.length > 0) yield* changesOf(this.queries.deleteFrom('sessions').where('token_hash', 'in', replaces));
    yield* this.makeRoom(session);
    yield* changesOf(this.queries.insertInto('sessions').values({
      id: session.id, token_hash: tokenHash, person_id: session.personId, signed_in_by: session.signedInBy, assurance: session.assurance,
      created_at: session.createdAt, proven_at: session.provenAt, last_used_at: session.lastUsedAt, address: session.address, user_agent: storableTextOrNull(session.userAgent),
      machine_id: session.machineId,
    }));
    if (forgets !== null) yield* forgetFailures(this.queries, { personId: session.personId, browser: forgets });
    return true;
  }

  private* withToken(tokenHash: TokenHash): Script<SessionRecord | null> {
    const row = yield* firstOf(this.queries.selectFrom('sessions').select(SESSION_COLUMNS).where('token_hash', '=', tokenHash));
    const record = row === null ? null : yield* findPerson(this.queries, row.person_id as PersonId);
    return row === null || record === null ? null : { session: sessionFromRow(row), record };
  }

  private delete(personId: PersonId, which: SessionChoice): Script<number> {
    const ended = this.queries.deleteFrom('sessions').where('person_id', '=', personId);
    if (which === 'all') return changesOf(ended);
    return changesOf(typeof which === 'string' ? ended.where('id', '=', which) : ended.where('id', '<>', which.allBut));
  }

  private* endFor(personId: PersonId, which: SessionChoice, by: AuditedBy): Script<number> {
    const ended = yield* this.delete(personId, which);
    if (ended > 0) yield* auditPerson(this.queries, { action: 'sessions-ended', id: personId, details: { sessions: ended } }, by);
    return ended;
  }

  private* holds({ person, passwordHash }: PersonRecord, proven: ProvenBy): Script<boolean> {
    switch (proven.kind) {
      case 'password': return passwordHash === proven.hash && (yield* this.suffices(person.id, proven.browser));
      case 'passkey': return (yield* firstOf(this.queries.selectFrom('person_factors').select('id').where('id', '=', proven.id))) !== null;
      case 'issuer': return (yield* firstOf(this.queries.selectFrom('issuer_links').select('subject').where('person_id', '=', person.id)
        .where('issuer', '=', proven.subject.issuer).where('subject', '=', proven.subject.subject))) !== null;
      case 'link': return true;
      case 'machine': return person.role !== 'operator' && (yield* this.isInForce(proven.id));
    }
  }

  private* isInForce(id: MachineId): Script<boolean> {
    return (yield* firstOf(this.queries.selectFrom('machines').select('id').where('id', '=', id).where('revoked_at', 'is', null))) !== null;
  }

  private* suffices(personId: PersonId, browser: BrowserStanding): Script<boolean> {
    return !needsMailedLink(browser, yield* readAttempts(this.queries, { personId, browser }));
  }

  /** Deletes everybody's sessions that have reached the maximum age, and the person's least recently used ones if there are too many. */
  private* makeRoom({ personId, createdAt }: Session): Script<void> {
    yield* changesOf(this.queries.deleteFrom('sessions').where('created_at', '<=', BigInt(later(createdAt, -MAX_SESSION_MILLISECONDS))));
    const surplus = (yield* rowsOf(this.newestFirst(personId).select('id'))).slice(MAX_SESSIONS - 1).map(({ id }) => id);
    if (surplus.length > 0) yield* changesOf(this.queries.deleteFrom('sessions').where('id', 'in', surplus));
  }

  private newestFirst(personId: PersonId) {
    return this.queries.selectFrom('sessions').where('person_id', '=', personId).orderBy('last_used_at', 'desc').orderBy('id');
  }
}
