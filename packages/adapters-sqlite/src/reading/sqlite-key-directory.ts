import type { KeyDirectory, KeyHash, KeyHolder } from '@tollgate/core';
import { holderByHash, holderFromRow, type HolderRow, sqliteQueries } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import { retryWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { ChangeVersion } from './change-version.js';

export const HOLDERS_KEPT = 10_000;

/** Caches key holders. All are dropped after a change by this process or any commit by another. The date of last use may be stale. */
export class SqliteKeyDirectory implements KeyDirectory {
  /** Least recently used first. Unknown keys are not cached. */
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

  /** Must be called before the read, so that a change during it is noticed at the next one. */
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
