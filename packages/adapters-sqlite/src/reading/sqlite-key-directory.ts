import type { KeyDirectory, KeyHash, KeyHolder } from '@tollgate/core';
import { holderByHash, holderFromRow, type HolderRow, sqliteQueries } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import { retryWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { ChangeVersion } from './change-version.js';

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
