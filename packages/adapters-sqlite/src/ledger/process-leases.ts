import type { Checkpoint, Instant, ProcessId } from '@tollgate/core';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { isKnownDead, ownIdentity, type ProcessIdentity } from './process-identity.js';

interface LeaseRow {
  readonly process_id: string;
  readonly expires_at: number;
  readonly renewed_at: number | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly start_marker: string | null;
}

const UNKNOWN = { host: null, pid: null, startMarker: null } as const;

function identityOf({ host, pid, start_marker }: LeaseRow): ProcessIdentity | null {
  return host === null || pid === null ? null : { host, pid, startMarker: start_marker };
}

/** Statements about leases of processes. The caller provides the transaction. */
export class ProcessLeases {
  private readonly identity = ownIdentity();
  private readonly extend;
  private readonly insert;
  private readonly remove;
  private readonly others;

  constructor(connection: SqliteConnection, private readonly self: ProcessId) {
    this.extend = connection.prepare<[number, number, string]>('UPDATE process_leases SET expires_at = ?, renewed_at = ? WHERE process_id = ?');
    this.insert = connection.prepare(`
      INSERT INTO process_leases (process_id, expires_at, renewed_at, host, pid, start_marker)
      VALUES (@processId, @expiresAt, @renewedAt, @host, @pid, @startMarker)`);
    this.remove = connection.prepare<[string]>('DELETE FROM process_leases WHERE process_id = ?');
    this.others = connection.prepare<[string], LeaseRow>(`
      SELECT process_id, expires_at, renewed_at, host, pid, start_marker FROM process_leases WHERE process_id <> ?`).safeIntegers(false);
  }

  /** Renews the lease. Returns true if the process had none. */
  renew(ownerId: ProcessId, { at, leaseExpiresAt }: Pick<Checkpoint, 'at' | 'leaseExpiresAt'>): boolean {
    if (this.extend.run(leaseExpiresAt, at, ownerId).changes > 0) return false;
    const identity = ownerId === this.self ? this.identity : UNKNOWN;
    this.insert.run({ processId: ownerId, expiresAt: leaseExpiresAt, renewedAt: at, ...identity });
    return true;
  }

  retire(ownerId: ProcessId): void {
    this.remove.run(ownerId);
  }

  /**
   * Removes the leases of other processes that have expired or whose process is certainly dead. Records in `silence` the milliseconds since each was
   * last renewed.
   */
  removeDead(now: Instant, silence: Map<string, number | null>): void {
    for (const lease of this.others.all(this.self)) {
      const identity = identityOf(lease);
      const isDead = lease.expires_at <= now || (identity !== null && isKnownDead(identity));
      if (!isDead) continue;
      this.remove.run(lease.process_id);
      silence.set(lease.process_id, lease.renewed_at === null ? null : now - lease.renewed_at);
    }
  }
}
