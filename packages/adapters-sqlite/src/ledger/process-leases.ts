import type { Instant, ProcessId } from '@tollgate/core';
import type { SqliteConnection } from '../sqlite-connection.js';
import { isKnownDead, ownIdentity, type ProcessIdentity } from './process-identity.js';

interface LeaseRow {
  readonly process_id: string;
  readonly host: string | null;
  readonly pid: number | null;
  readonly start_marker: string | null;
}

const UNKNOWN = { host: null, pid: null, startMarker: null } as const;

function identityOf({ host, pid, start_marker }: LeaseRow): ProcessIdentity | null {
  return host === null || pid === null ? null : { host, pid, startMarker: start_marker };
}

/** Which processes count as alive. Every method runs inside a transaction of the caller's. */
export class ProcessLeases {
  private readonly identity = ownIdentity();
  private readonly upsert;
  private readonly remove;
  private readonly removeExpired;
  private readonly others;

  constructor(connection: SqliteConnection, private readonly self: ProcessId) {
    this.upsert = connection.prepare(`
      INSERT INTO process_leases (process_id, expires_at, host, pid, start_marker)
      VALUES (@processId, @expiresAt, @host, @pid, @startMarker)
      ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at`);
    this.remove = connection.prepare<[string]>('DELETE FROM process_leases WHERE process_id = ?');
    this.removeExpired = connection.prepare<[number, string]>('DELETE FROM process_leases WHERE expires_at <= ? AND process_id <> ?');
    this.others = connection.prepare<[string], LeaseRow>(`
      SELECT process_id, host, pid, start_marker FROM process_leases WHERE process_id <> ?`).safeIntegers(false);
  }

  renew(ownerId: ProcessId, expiresAt: Instant): void {
    const identity = ownerId === this.self ? this.identity : UNKNOWN;
    this.upsert.run({ processId: ownerId, expiresAt, ...identity });
  }

  retire(ownerId: ProcessId): void {
    this.remove.run(ownerId);
  }

  /** Removes the leases of others that ran out, or whose process is certain to be gone. This process knows that it lives. */
  removeDead(now: Instant): void {
    this.removeExpired.run(now, this.self);
    for (const lease of this.others.all(this.self)) {
      const identity = identityOf(lease);
      if (identity !== null && isKnownDead(identity)) this.remove.run(lease.process_id);
    }
  }
}
