import type { AuditedBy, Instant, NewSession, PersonId, Session, SessionChoice, SessionId, SessionRecord, SessionRecords, TokenHash } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { PersonScripts } from './person-scripts.js';
import { SessionScripts } from './session-scripts.js';

/** Sessions in any SQL database. */
export class SqlSessionRecords implements SessionRecords {
  private readonly sessions: SessionScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    this.sessions = new SessionScripts(queries, new PersonScripts(queries));
  }

  begin(session: NewSession): Promise<boolean> {
    return this.runner.write(() => this.sessions.begin(session));
  }

  find(tokenHash: TokenHash): Promise<SessionRecord | null> {
    return this.runner.read(() => this.sessions.find(tokenHash));
  }

  async noteUse(id: SessionId, at: Instant, address: string): Promise<void> {
    await this.runner.write(() => this.sessions.noteUse(id, at, address));
  }

  list(personId: PersonId): Promise<readonly Session[]> {
    return this.runner.read(() => this.sessions.list(personId));
  }

  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number> {
    return this.runner.write(() => (by === undefined ? this.sessions.end(personId, which) : this.sessions.endFor(personId, which, by)));
  }
}
