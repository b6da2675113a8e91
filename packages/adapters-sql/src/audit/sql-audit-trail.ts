import type { AuditTrail, AuditTrailVerification } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditHash, type AuditRow, FIRST_PREVIOUS_HASH } from './audit-entry.js';

const ENTRIES_PER_READ = 1000;

/** How far the chain was followed. */
interface Followed {
  readonly entries: bigint;
  readonly hash: string;
}

type StoredEntry = AuditRow & { readonly hash: string };

/** The chain with one more entry; `null` when the entry is not the next one, or not as it was written. */
function followedBy({ entries, hash }: Followed, row: StoredEntry): Followed | null {
  const isSound = row.seq === entries + 1n && row.hash === auditHash(hash, row);
  return isSound ? { entries: row.seq, hash: row.hash } : null;
}

/** Follows some entries; stops before the first that is not sound. */
function follow(start: Followed, rows: readonly StoredEntry[]): Followed {
  let followed = start;
  for (const row of rows) {
    const next = followedBy(followed, row);
    if (next === null) return followed;
    followed = next;
  }
  return followed;
}

/**
 * Follows the chain from the first entry on. A change, removal or reordering inside it is found;
 * entries cut off at its end are not, since nothing after them refers to them.
 */
export class SqlAuditTrail implements AuditTrail {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  verifyAuditTrail(): Promise<AuditTrailVerification> {
    return this.runner.readAtLeisure(() => this.followAll());
  }

  private* followAll(): Script<AuditTrailVerification> {
    let followed: Followed = { entries: 0n, hash: FIRST_PREVIOUS_HASH };
    for (;;) {
      const rows = yield* rowsOf(this.queries.selectFrom('audit_entries').selectAll()
        .where('seq', '>', followed.entries).orderBy('seq').limit(ENTRIES_PER_READ));
      const expected = followed.entries + BigInt(rows.length);
      followed = follow(followed, rows);
      const entries = Number(followed.entries);
      if (followed.entries < expected) return { entries, firstBrokenEntry: entries + 1 };
      if (rows.length < ENTRIES_PER_READ) return { entries, firstBrokenEntry: null };
    }
  }
}
