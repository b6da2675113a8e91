import {
  type Change, type ChangeListener, type Clock, type Instant, type KeyDirectory, type KeyHash, type KeyHolder, MILLISECONDS_PER_SECOND,
  type PlatformSnapshot, type PlatformState,
} from '@tollgate/core';
import { holderByHash, holderFromRow, type HolderRow, platformSnapshot, postgresQueries, type Queries, type ScriptRunner } from '@tollgate/sql-common';
import { type ConnectionPool, retryTransient } from './connection/connection-pool.js';

const HOLDERS_KEPT = 10_000;
/** Maximum age of cached rows if a notification is lost. Gateways promise 5 s, including the read. */
const LISTENING_LIFETIME_MILLISECONDS = 4 * MILLISECONDS_PER_SECOND;
/** Without a connection for notifications. */
const DEAF_LIFETIME_MILLISECONDS = MILLISECONDS_PER_SECOND;

const HOLDER = { name: 'tollgate-key-holder', text: holderByHash(postgresQueries()) };

interface Kept {
  readonly holder: KeyHolder;
  readonly readAt: Instant;
}

/**
 * Caches key holders until a notification of a change by any process, for at most 4 s, or 1 s without notifications. The date of last use
 * may be stale.
 */
export class PostgresKeyDirectory implements KeyDirectory, ChangeListener {
  /** Least recently used first; unknown keys are not cached. */
  private readonly holders = new Map<KeyHash, Kept>();
  /** Concurrent look-ups of a key share a read. */
  private readonly reading = new Map<KeyHash, Promise<KeyHolder | null>>();
  private lifetimeMilliseconds = LISTENING_LIFETIME_MILLISECONDS;

  constructor(private readonly pool: ConnectionPool, private readonly clock: Clock) {}

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    const kept = this.holders.get(hash);
    // The absolute difference, so that a clock that was set back does not extend the lifetime.
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
    const reading = this.read(hash).finally(() => {
      if (this.reading.get(hash) === reading) this.reading.delete(hash);
    });
    this.reading.set(hash, reading);
    return reading;
  }

  private async read(hash: KeyHash): Promise<KeyHolder | null> {
    const readAt = this.clock.now();
    const { rows } = await retryTransient(() => this.pool.use((session) => session.query({ ...HOLDER, values: [hash] })));
    const row = rows[0] as HolderRow | undefined;
    if (row === undefined) return null;
    const holder = holderFromRow(row);
    // Not kept if a change arrived during the query, which the answer may not include.
    if (this.reading.has(hash)) this.keep(hash, { holder, readAt });
    return holder;
  }

  private keep(hash: KeyHash, kept: Kept): void {
    const [oldest] = this.holders.keys();
    if (oldest !== undefined && this.holders.size >= HOLDERS_KEPT) this.holders.delete(oldest);
    this.holders.delete(hash);
    this.holders.set(hash, kept);
  }
}

/** For lost notifications and failed reads. 5 s are promised, including the read. */
const REFRESH_MILLISECONDS = 4 * MILLISECONDS_PER_SECOND;
const DEAF_REFRESH_MILLISECONDS = MILLISECONDS_PER_SECOND;

export interface PostgresPlatformStateParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner;
  readonly clock: Clock;
}

/** Caches operators' settings until they change. */
export class PostgresPlatformState implements PlatformState, ChangeListener {
  private refreshMilliseconds = REFRESH_MILLISECONDS;
  private cancelRefresh: () => void = () => undefined;
  private begun = 0;
  private shown = 0;

  private constructor(private readonly parts: PostgresPlatformStateParts, private snapshot: PlatformSnapshot) {}

  static async open(parts: PostgresPlatformStateParts): Promise<PostgresPlatformState> {
    const state = new PostgresPlatformState(parts, await parts.runner.read(() => platformSnapshot(parts.queries)));
    state.scheduleRefresh();
    return state;
  }

  current(): PlatformSnapshot {
    return this.snapshot;
  }

  /** Resolves once earlier changes are in `current`. */
  async refresh(): Promise<void> {
    this.begun += 1;
    const number = this.begun;
    const snapshot = await this.parts.runner.read(() => platformSnapshot(this.parts.queries));
    // Of two concurrent reads, the later one is newer.
    if (number < this.shown) return;
    this.shown = number;
    this.snapshot = snapshot;
  }

  close(): void {
    this.cancelRefresh();
  }

  changed({ kind }: Change): void {
    if (kind === 'platform') this.refreshSoon();
  }

  disconnected(): void {
    this.refreshMilliseconds = DEAF_REFRESH_MILLISECONDS;
    this.scheduleRefresh();
  }

  missed(): void {
    this.refreshMilliseconds = REFRESH_MILLISECONDS;
    this.refreshSoon();
  }

  /** A failed read keeps the state until the next one. */
  private refreshSoon(): void {
    this.scheduleRefresh();
    this.refresh().catch(() => undefined);
  }

  private scheduleRefresh(): void {
    this.cancelRefresh();
    this.cancelRefresh = this.parts.clock.schedule(this.refreshMilliseconds, () => this.refreshSoon());
  }
}
