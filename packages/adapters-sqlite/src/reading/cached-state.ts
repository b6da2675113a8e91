import type { KeyDirectory, KeyHash, KeyHolder, PlatformSnapshot, PlatformState } from '@tollgate/core';
import { holderByHash, holderFromRow, type HolderRow, platformSnapshot, type Queries, sqliteQueries } from '@tollgate/sql-common';
import { isBusy, retryWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { SqliteScriptRunner } from './sqlite-script-runner.js';
import type { GroupCommit } from '../durability/group-commit.js';

/** How long a reading counts: reading costs microseconds, and every request asks several times. */
export const READING_MILLISECONDS = 20;

/**
 * A number that changes when accounts, keys or the platform may have changed: at once for changes of this process, within 20 ms
 * for those of others. Settlements of this process do not change it.
 */
export class ChangeVersion {
  #version = 0;
  #dataVersion: unknown = null;
  #readAt = -Infinity;
  readonly #statement;

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(connection: SqliteConnection, private readonly now: () => number = () => performance.now()) {
    // SQLite counts the commits of all other connections.
    this.#statement = connection.prepare('PRAGMA data_version').pluck().safeIntegers(false);
  }

  /** Says that this process has written. */
  advance(): void {
    this.#version += 1;
  }

  current(): number {
    const now = this.now();
    if (now - this.#readAt < READING_MILLISECONDS) return this.#version;
    const dataVersion = this.#statement.get();
    this.#readAt = now;
    if (dataVersion !== this.#dataVersion) {
      this.#dataVersion = dataVersion;
      this.#version += 1;
    }
    return this.#version;
  }
}

/** What operators have switched, read again once any process has changed something. */
export class SqlitePlatformState implements PlatformState {
  private snapshot: PlatformSnapshot;
  private readAt: number;

  constructor(private readonly queries: Queries, private readonly runner: SqliteScriptRunner, private readonly changes: ChangeVersion) {
    this.readAt = changes.current();
    this.snapshot = this.read();
  }

  current(): PlatformSnapshot {
    try {
      this.refresh();
    } catch (thrown) {
      // The lock is held for milliseconds; the next request reads the written state.
      if (!isBusy(thrown)) throw thrown;
    }
    return this.snapshot;
  }

  private refresh(): void {
    const version = this.changes.current();
    if (version === this.readAt) return;
    this.snapshot = this.read();
    this.readAt = version;
  }

  private read(): PlatformSnapshot {
    return this.runner.readNow(() => platformSnapshot(this.queries));
  }
}

export const HOLDERS_KEPT = 10_000;

/**
 * Key holders, kept in memory until any process changes a key or an account.
 * The date of last use does not count as a change and may lag in what is kept.
 */
export class SqliteKeyDirectory implements KeyDirectory {
  /** In order of use: the first is the one that was not asked for the longest. Unknown keys are not kept. */
  private readonly holders = new Map<KeyHash, KeyHolder>();
  private readAt = -1;
  private readonly select;

  constructor(connection: SqliteConnection, private readonly changes: ChangeVersion, private readonly commits: GroupCommit) {
    this.select = connection.prepare<[string], HolderRow>(holderByHash(sqliteQueries())).safeIntegers(false);
  }

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    return retryWhileBusy(() => this.find(hash));
  }

  private find(hash: KeyHash): KeyHolder | null {
    this.commits.assertUsable();
    this.forgetIfChanged();
    const known = this.holders.get(hash) ?? this.read(hash);
    if (known === null) return null;
    this.holders.delete(hash);
    this.holders.set(hash, known);
    return known;
  }

  /** Asked before the row is read, so that a change in between is noticed the next time. */
  private forgetIfChanged(): void {
    const version = this.changes.current();
    if (version === this.readAt) return;
    this.holders.clear();
    this.readAt = version;
  }

  private read(hash: KeyHash): KeyHolder | null {
    const row = this.select.get(hash);
    if (row === undefined) return null;
    const [oldest] = this.holders.keys();
    if (oldest !== undefined && this.holders.size >= HOLDERS_KEPT) this.holders.delete(oldest);
    return holderFromRow(row);
  }
}
