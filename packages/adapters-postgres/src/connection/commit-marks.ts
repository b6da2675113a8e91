import { randomUUID } from 'node:crypto';

/** Table of the last transaction that each runner of scripts committed. */
export const CREATE_SCRIPT_COMMITS = `
  create table script_commits (runner uuid primary key, number bigint not null, committed_at timestamptz not null)
`;

/** A runner looks for its mark within a minute of the commit. */
const MARKS_ARE_KEPT = '1 hour';

/** A row that a transaction writes. It exists if and only if this database contains the transaction. */
export interface CommitMark {
  /** Marks the current transaction if it has written anything. */
  readonly insertion: string;
  /** Returns one row if the transaction committed. The transaction must have ended. */
  readonly lookup: string;
}

/** Marks of the transactions of one runner, which runs one at a time: each replaces the last one. */
export class CommitMarks {
  private readonly runner = randomUUID();
  private number = 0;

  next(): CommitMark {
    this.number += 1;
    const mark = `
      insert into script_commits (runner, number, committed_at) select '${this.runner}', ${this.number}, now() where pg_current_xact_id_if_assigned() is not null
      on conflict (runner) do update set number = excluded.number, committed_at = excluded.committed_at
    `;
    return {
      insertion: this.number === 1 ? `${mark}; delete from script_commits where committed_at < now() - interval '${MARKS_ARE_KEPT}'` : mark,
      lookup: `select 1 from script_commits where runner = '${this.runner}' and number = ${this.number}`,
    };
  }
}
