import type { KeyDirectory, KeyHash, KeyHolder } from '@tollgate/core';
import { accountFromRow, type AccountRow } from '../accounts/account-row.js';
import { apiKeyFromRow, type ApiKeyRow } from '../keys/api-key-row.js';
import { retryWhileBusy } from './busy.js';
import type { ChangeVersion } from './change-version.js';
import type { SqliteConnection } from './sqlite-connection.js';

const HOLDERS_KEPT = 10_000;

type HolderRow = ApiKeyRow & {
  readonly email: string;
  readonly account_name: string;
  readonly plan_id: string;
  readonly status: string;
  readonly email_verified: number;
  readonly account_blocked: number;
  readonly account_created_at: number;
};

function holderFromRow(row: HolderRow): KeyHolder {
  const account: AccountRow = {
    id: row.account_id,
    email: row.email,
    name: row.account_name,
    plan_id: row.plan_id,
    status: row.status,
    email_verified: row.email_verified,
    blocked: row.account_blocked,
    created_at: row.account_created_at,
  };
  return { key: apiKeyFromRow(row), account: accountFromRow(account) };
}

/**
 * Key holders, kept in memory until any process changes a key or an account.
 * The date of last use does not count as a change and may lag in what is kept.
 */
export class SqliteKeyDirectory implements KeyDirectory {
  /** In order of use: the first is the one that was not asked for the longest. Unknown keys are not kept. */
  private readonly holders = new Map<KeyHash, KeyHolder>();
  private readAt = -1;
  private readonly select;

  constructor(connection: SqliteConnection, private readonly changes: ChangeVersion) {
    this.select = connection.prepare<[string], HolderRow>(`
      SELECT k.*, a.email, a.name AS account_name, a.plan_id, a.status, a.email_verified, a.blocked AS account_blocked,
        a.created_at AS account_created_at
      FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`).safeIntegers(false);
  }

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    return retryWhileBusy(() => this.find(hash));
  }

  private find(hash: KeyHash): KeyHolder | null {
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
