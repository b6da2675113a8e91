import type { AuditedBy, InstallationRegistry, SecretClaim, SecretFingerprints } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

const ROW_ID = 1;

export class SqlInstallation implements InstallationRegistry {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  fingerprint(): Promise<string | null> {
    return this.runner.read(() => this.recorded());
  }

  claim(fingerprints: SecretFingerprints, by: AuditedBy): Promise<SecretClaim> {
    return this.runner.write(() => this.claimInTurn(fingerprints, by));
  }

  forget(by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.remove(by));
  }

  private* recorded(): Script<string | null> {
    const row = yield* firstOf(this.queries.selectFrom('installation').select('fingerprint'));
    return row?.fingerprint ?? null;
  }

  private* claimInTurn({ current, previous }: SecretFingerprints, by: AuditedBy): Script<SecretClaim> {
    if (yield* this.record(current, by)) return 'recorded';
    if (previous !== null && (yield* this.replace(previous, current, by))) return 'rotated';
    return (yield* this.recorded()) === current ? 'same' : 'other';
  }

  private* record(fingerprint: string, { at }: AuditedBy): Script<boolean> {
    const inserted = yield* changesOf(this.queries.insertInto('installation').values({ id: ROW_ID, fingerprint, recorded_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing()));
    return inserted > 0;
  }

  private* replace(previous: string, current: string, by: AuditedBy): Script<boolean> {
    const updated = yield* changesOf(this.queries.updateTable('installation').set({ fingerprint: current, recorded_at: by.at })
      .where('fingerprint', '=', previous));
    if (updated === 0) return false;
    yield* appendAuditEntry(this.queries, { ...by, action: 'installation.secret-rotated', subject: 'installation', accountId: null, details: {} });
    return true;
  }

  private* remove(by: AuditedBy): Script<boolean> {
    const deleted = yield* changesOf(this.queries.deleteFrom('installation'));
    if (deleted === 0) return false;
    yield* appendAuditEntry(this.queries, { ...by, action: 'installation.secret-forgotten', subject: 'installation', accountId: null, details: {} });
    return true;
  }
}
