import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { type Booked, type BookingObserver, type Checkpoint, endingOfOrphan, type Instant, invariant, type ProcessId, type SweptReservations } from '@tollgate/core';
import { RESERVATION_COLUMNS, reservationFromRow, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import { errorCodeOf } from '../file/sqlite-failures.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { GroupCommit } from '../durability/group-commit.js';
import { settle } from './settle.js';
import type { SettlementStatements } from './statements.js';

/** By machine and process. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes processes with the same id; `null` if unavailable. */
  readonly startMarker: string | null;
}

/** From `/proc`; `null` if unavailable. */
interface ProcessFacts {
  /** Boot id and start time, which never repeat together. */
  readonly startMarker: string;
  /** A zombie. */
  readonly hasEnded: boolean;
}

/** Of `/proc/PID/stat`, after the name: state, and start time in clock ticks since boot. */
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X']);

function factsOf(pid: number): ProcessFacts | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[START_TIME_FIELD];
    return startTime === undefined ? null : { startMarker: `${boot}:${startTime}`, hasEnded: ENDED_STATES.has(fields[STATE_FIELD] ?? '') };
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Any other error means that the process exists and belongs to another user.
    return errorCodeOf(thrown) !== 'ESRCH';
  }
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: ownPid, startMarker: factsOf(ownPid)?.startMarker ?? null };
}

/** False if uncertain: a process of another machine, or one that cannot be identified, counts as running. */
export function isKnownDead({ host, pid, startMarker }: ProcessIdentity): boolean {
  if (host !== hostname()) return false;
  if (!exists(pid)) return true;
  const facts = factsOf(pid);
  if (facts === null) return false;
  return facts.hasEnded || (startMarker !== null && facts.startMarker !== startMarker);
}

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

/** Within the caller's transaction. */
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

  /** True if the process had no lease. */
  renew(ownerId: ProcessId, { at, leaseExpiresAt }: Pick<Checkpoint, 'at' | 'leaseExpiresAt'>): boolean {
    if (this.extend.run(leaseExpiresAt, at, ownerId).changes > 0) return false;
    const identity = ownerId === this.self ? this.identity : UNKNOWN;
    this.insert.run({ processId: ownerId, expiresAt: leaseExpiresAt, renewedAt: at, ...identity });
    return true;
  }

  retire(ownerId: ProcessId): void {
    this.remove.run(ownerId);
  }

  /** Removes expired leases and those of certainly dead processes, and records since when each was silent. Never this process's own. */
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

interface OrphanRow extends ReservationRow {
  readonly owner_lives: bigint;
}

interface EndedOrphan extends OrphanRow {
  readonly booked: Booked;
}

type OrphanQuery = { readonly now: number; readonly self: string };

/** Per transaction, so that a sweep after a crash leaves room for requests. */
const ORPHANS_PER_ROUND = 100;

const ORPHANED = `state = 'held' AND (expires_at <= @now OR (owner_id <> @self
  AND NOT EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)))`;

/** At the checkpoint. The row was read in this transaction. */
export function settleOrphan(statements: SettlementStatements, row: ReservationRow, now: Instant): Booked {
  const reservation = reservationFromRow(row);
  const settled = settle(statements, { reservationId: reservation.id, ending: endingOfOrphan(reservation, now) });
  invariant(settled !== null, 'the reservation was held in this transaction');
  return settled.booked;
}

export interface SqliteSweeperParts {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly statements: SettlementStatements;
  readonly leases: ProcessLeases;
  readonly self: ProcessId;
  readonly bookings: BookingObserver;
}

/** One that cannot be ended does not block others. */
export class SqliteSweeper {
  private readonly orphans;
  private readonly orphan;

  constructor(private readonly parts: SqliteSweeperParts) {
    const { connection } = parts;
    this.orphans = connection.prepare<[OrphanQuery], string>(`SELECT id FROM reservations WHERE ${ORPHANED} LIMIT ${ORPHANS_PER_ROUND}`).pluck();
    this.orphan = connection.prepare<[OrphanQuery & { readonly id: string }], OrphanRow>(`
      SELECT ${RESERVATION_COLUMNS.join(', ')}, (owner_id = @self OR EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)) AS owner_lives
      FROM reservations WHERE id = @id AND ${ORPHANED}`);
  }

  /** Returns what it booked; throws if one could not be ended. */
  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    const { commits, leases, self, bookings } = this.parts;
    const silence = new Map<string, number | null>();
    const ended: EndedOrphan[] = [];
    const round = async (): Promise<boolean> => {
      const ids = await commits.run(() => {
        leases.removeDead(now, silence);
        return this.orphans.all({ now, self });
      });
      const endings = await Promise.allSettled(ids.map((id) => commits.run(() => this.end(id, now))));
      const endedNow = endings.map((ending) => (ending.status === 'fulfilled' ? ending.value : null)).filter((orphan) => orphan !== null);
      for (const { booked } of endedNow) bookings.booked(booked);
      ended.push(...endedNow);
      const failure = endings.find((ending) => ending.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      return ids.length === ORPHANS_PER_ROUND;
    };
    try {
      while (await round());
      return ended.map(({ booked }) => booked);
    } finally {
      for (const swept of sweptOf(ended, silence)) onSwept(swept);
    }
  }

  /** Checks again: the owner may be back or have settled. */
  private end(id: string, now: Instant): EndedOrphan | null {
    const { statements, self } = this.parts;
    const row = this.orphan.get({ id, now, self });
    if (row === undefined) return null;
    return { ...row, booked: settleOrphan(statements, row, now) };
  }
}
