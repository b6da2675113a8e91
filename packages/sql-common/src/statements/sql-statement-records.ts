import {
  type AccountId, type Instant, type NamedStatement, type PrintedStatement, type StatementDifference, type StatementIssuer, type StatementPage, type StatementQuery, type StatementRecords,
  type StatementStep, type VerifiedStatements,
} from '@tollgate/core';
import { flagToColumn } from '../schema/column-values.js';
import type { LeaseClock } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { type PreparedBatch, type PreparedStatement, prepareStatements } from './prepare-statements.js';
import { namedFromRow, SUMMARY_COLUMNS, summaryFromRow } from './statement-rows.js';
import { claimStatements, dueMonth, releaseClaim, type StatementTurn, storeStatements } from './store-statements.js';
import { verifyStatementNumbers, verifyStatements } from './verify-statements.js';

/** Maximum statements per transaction, which SQLite runs on the event loop. */
const STATEMENTS_PER_WRITE = 20;
const LINES_PER_WRITE = 2_000;

/** Divides statements into groups with a bounded number of statements and lines. Returns at least one group. */
function groupsOf(statements: readonly PreparedStatement[]): readonly (readonly PreparedStatement[])[] {
  const groups: PreparedStatement[][] = [[]];
  let lines = 0;
  for (const statement of statements) {
    const own = statement.figures.charges.length + statement.figures.entries.length;
    const group = groups.at(-1) ?? [];
    const isFull = group.length >= STATEMENTS_PER_WRITE || (group.length > 0 && lines + own > LINES_PER_WRITE);
    if (isFull) groups.push([statement]);
    else group.push(statement);
    lines = isFull ? own : lines + own;
  }
  return groups;
}

interface Making {
  readonly turn: StatementTurn;
  readonly issuer: StatementIssuer;
  readonly at: Instant;
}

/** Long reads run in the background, and writes are short. */
export class SqlStatementRecords implements StatementRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly clock: LeaseClock) {}

  async makeSome(issuer: StatementIssuer, at: Instant): Promise<StatementStep> {
    const { queries, runner, clock } = this;
    if (await runner.read(() => dueMonth(queries, at)) === null) return { made: 0, outcome: 'done', failures: [] };
    const turn = await runner.write(() => claimStatements(queries, { clock, at }));
    if (turn === null || turn === 'busy') return { made: 0, outcome: turn ?? 'done', failures: [] };
    try {
      const batch = await runner.readInBackground(() => prepareStatements(queries, turn));
      return await this.storeBatch(batch, { turn, issuer, at });
    } finally {
      // A claim that cannot be released expires. Throwing would lose the failures of the step, which are reported once.
      await Promise.allSettled([runner.write(() => releaseClaim(queries, turn.version))]);
    }
  }

  async list({ accountId, month, before, limit }: StatementQuery): Promise<StatementPage> {
    let statements = this.queries.selectFrom('statements').select(SUMMARY_COLUMNS);
    if (accountId !== null) statements = statements.where('account_id', '=', accountId);
    if (month !== null) statements = statements.where('month', '=', month);
    if (before !== null) statements = statements.where('number', '<', BigInt(before));
    const newest = accountId === null ? statements.orderBy('number', 'desc') : statements.orderBy('month', 'desc');
    const rows = await this.runner.read(() => rowsOf(newest.limit(limit + 1)));
    return { statements: rows.slice(0, limit).map(summaryFromRow), hasMore: rows.length > limit };
  }

  async find(number: number): Promise<NamedStatement | null> {
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('statements').leftJoin('statement_names', 'statement_names.number', 'statements.number')
      .select(['statements.document', 'statement_names.names']).where('statements.number', '=', BigInt(number))));
    return row === null ? null : namedFromRow(row);
  }

  file(file: PrintedStatement): Promise<Uint8Array | null> {
    return this.runner.read(() => this.keptFile(file));
  }

  keepFile(file: PrintedStatement, bytes: Uint8Array): Promise<Uint8Array | null> {
    const content = Buffer.from(bytes).toString('base64');
    return this.runner.write(() => this.keep(file, content));
  }

  verifySome(after: AccountId | null): Promise<VerifiedStatements> {
    return this.runner.readInBackground(() => verifyStatements(this.queries, after));
  }

  verifyNumbers(): Promise<readonly StatementDifference[]> {
    return this.runner.readInBackground(() => verifyStatementNumbers(this.queries));
  }

  private async storeBatch({ statements, last, failures }: PreparedBatch, { turn, issuer, at }: Making): Promise<StatementStep> {
    const { queries, runner, clock } = this;
    const groups = groupsOf(statements);
    let made = 0;
    for (const [index, group] of groups.entries()) {
      const end = index === groups.length - 1 ? last : group.at(-1)?.accountId ?? last;
      const stored = await runner.write(() => storeStatements(queries, { turn, statements: group, last: end, issuer }, { clock, at }));
      if (!stored) return { made, outcome: 'busy', failures: [] };
      made += group.length;
    }
    return { made, outcome: 'more', failures };
  }

  private* keptFile({ number, format, hasNames }: PrintedStatement): Script<Uint8Array | null> {
    const row = yield* firstOf(this.queries.selectFrom('statement_files').select('content').where('number', '=', BigInt(number)).where('format', '=', format)
      .where('named', '=', BigInt(flagToColumn(hasNames))));
    return row === null ? null : Buffer.from(row.content, 'base64');
  }

  /** Stores a file. Locks the account, as an erasure does, so that no file with names is stored after the erasure. */
  private* keep(file: PrintedStatement, content: string): Script<Uint8Array | null> {
    const { queries } = this;
    const { number, format, hasNames } = file;
    const statement = yield* firstOf(queries.selectFrom('statements').select('account_id').where('number', '=', BigInt(number)));
    if (statement === null) return null;
    const { account_id } = statement;
    yield* rowsOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '=', account_id)));
    const names = yield* firstOf(queries.selectFrom('statement_names').select('number').where('number', '=', BigInt(number)));
    if ((names !== null) !== hasNames) return null;
    yield* changesOf(queries.insertInto('statement_files').values({ number, format, named: flagToColumn(hasNames), account_id, content }).onConflict((conflict) => conflict.doNothing()));
    return yield* this.keptFile(file);
  }
}
