import {
  type Change, type ChangeListener, type Clock, type Instant, type KeyDirectory, type KeyHash, type KeyHolder, MILLISECONDS_PER_SECOND,
} from '@tollgate/core';
import { holderByHash, holderFromRow, type HolderRow, postgresQueries } from '@tollgate/sql-common';
import type { ConnectionPool } from './connection/connection-pool.js';
import { retryTransient } from './connection/retry-transient.js';

const HOLDERS_KEPT = 10_000;
/** Maximum age of cached rows, in case a notification is lost. Gateways promise that changes apply within 5 s, including the read. */
const LISTENING_LIFETIME_MILLISECONDS = 4 * MILLISECONDS_PER_SECOND;
/** Maximum age of cached rows while disconnected from notifications. */
const DEAF_LIFETIME_MILLISECONDS = MILLISECONDS_PER_SECOND;

const HOLDER = { name: 'tollgate-key-holder', text: holderByHash(postgresQueries()) };

interface Kept {
  readonly holder: KeyHolder;
  readonly readAt: Instant;
}

/**
 * Caches key holders for at most 4 s, or 1 s while disconnected from notifications. Drops a holder earlier if a process changes a field that decides
 * about requests. Changes of other fields by other processes, such as the date of last use, external id and metadata, are noticed only when that time
 * has passed.
 */
export class PostgresKeyDirectory implements KeyDirectory, ChangeListener {
  /** Least recently used first. Unknown keys are not cached. */
  private readonly holders = new Map<KeyHash, Kept>();
  /** Running reads, which concurrent look-ups of a key share. */
  private readonly reading = new Map<KeyHash, Promise<KeyHolder | null>>();
  private lifetimeMilliseconds = LISTENING_LIFETIME_MILLISECONDS;

  constructor(private readonly pool: ConnectionPool, private readonly clock: Clock) {}

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    const kept = this.holders.get(hash);
    // Compares the absolute difference, so that a clock that was set back does not extend the lifetime.
    if (kept === undefined || Math.abs(this.clock.now() - kept.readAt) >= this.lifetimeMilliseconds) return this.readOnce(hash);
    this.holders.delete(hash);
    this.holders.set(hash, kept);
    return Promise.resolve(kept.holder);
  }

  changed({ kind, id }: Change): void {
    if (kind !== 'key' && kind !== 'account') return;
    for (const [hash, { holder }] of this.holders) {
      if (holder[kind].id === id) this.holders.delete(hash);
    }
    this.reading.clear();
  }

  disconnected(): void {
    this.lifetimeMilliseconds = DEAF_LIFETIME_MILLISECONDS;
  }

  missed(): void {
    this.lifetimeMilliseconds = LISTENING_LIFETIME_MILLISECONDS;
    this.forgetAll();
  }

  forgetAll(): void {
    this.holders.clear();
    this.reading.clear();
  }

  private readOnce(hash: KeyHash): Promise<KeyHolder | null> {
    const underWay = this.reading.get(hash);
    if (underWay !== undefined) return underWay;
    const reading = this.read(hash).then((kept) => {
      // A change that arrived meanwhile has dropped this read, which may lack the change; a later read of the key may have replaced it.
      if (kept !== null && this.reading.get(hash) === reading) this.keep(hash, kept);
      return kept?.holder ?? null;
    }).finally(() => {
      if (this.reading.get(hash) === reading) this.reading.delete(hash);
    });
    this.reading.set(hash, reading);
    return reading;
  }

  private async read(hash: KeyHash): Promise<Kept | null> {
    const readAt = this.clock.now();
    const { rows } = await retryTransient(() => this.pool.use((session) => session.query({ ...HOLDER, values: [hash] })));
    const row = rows[0] as HolderRow | undefined;
    return row === undefined ? null : { holder: holderFromRow(row), readAt };
  }

  private keep(hash: KeyHash, kept: Kept): void {
    const [oldest] = this.holders.keys();
    if (oldest !== undefined && this.holders.size >= HOLDERS_KEPT) this.holders.delete(oldest);
    this.holders.delete(hash);
    this.holders.set(hash, kept);
  }
}
