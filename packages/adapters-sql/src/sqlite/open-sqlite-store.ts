import { later, type ProcessId } from '@tollgate/core';
import { SqlAccountRepository } from '../accounts/sql-account-repository.js';
import { SqlAuditTrail } from '../audit/sql-audit-trail.js';
import { SqlRequestBooks } from '../books/sql-request-books.js';
import { IdempotencyScripts } from '../idempotency/idempotency-scripts.js';
import { SqlIdempotencyStore } from '../idempotency/sql-idempotency-store.js';
import { KeyScripts } from '../keys/key-scripts.js';
import { SqlKeyRepository } from '../keys/sql-key-repository.js';
import { SqlOperatorControls } from '../platform/sql-operator-controls.js';
import { sqliteQueries } from '../script/queries.js';
import type { SqlStore } from '../store/sql-store.js';
import { FIRST_LEASE_MILLISECONDS, type StoreOptions } from '../store/store-options.js';
import { SqlUsageReader } from '../usage/sql-usage-reader.js';
import { SqlLedgerAudit } from '../verification/sql-ledger-audit.js';
import { ChangeVersion } from './change-version.js';
import { WalKeeper } from './checkpoints/wal-keeper.js';
import { NO_WAL_REPORT } from './checkpoints/wal-report.js';
import { GroupCommit } from './group-commit.js';
import { migrateSqlite } from './migrate-sqlite.js';
import { becomeSoleGateway, type SoleGateway } from './sole-gateway.js';
import { IN_MEMORY, openConnection, stopBlocking, type SqliteConnection } from './sqlite-connection.js';
import { SqliteKeyDirectory } from './sqlite-key-directory.js';
import { SqliteLedger } from './sqlite-ledger.js';
import { SqlitePlatformState } from './sqlite-platform-state.js';
import { SqliteScriptRunner } from './sqlite-script-runner.js';
import { WriteAheadLog } from './write-ahead-log.js';

export interface SqliteStoreOptions extends StoreOptions {
  /** Path of the database file, which is created when it is not there; `:memory:` for one that goes with the process. */
  readonly file: string;
}

/** A store in a file of this machine. */
export type SqliteStore = SqlStore;

/** What commits, and what keeps the log of that short. */
interface Commits {
  readonly commits: GroupCommit;
  readonly keeper: WalKeeper | null;
}

/** Commits in groups; a gateway keeps the log of its file short from another thread besides, and a program beside it leaves that to SQLite. */
function openCommits(connection: SqliteConnection, log: WriteAheadLog, { role, walReport: report = NO_WAL_REPORT }: SqliteStoreOptions): Commits {
  if (role !== 'gateway' || connection.name === IN_MEMORY) return { commits: new GroupCommit(connection, log), keeper: null };
  const commits = new GroupCommit(connection, log, (operations) => keeper.committed(operations));
  const keeper = new WalKeeper({ connection, report, betweenCommits: (task) => commits.pausedFor(task) });
  return { commits, keeper };
}

interface Foundation {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly processId: ProcessId;
}

function assemble({ connection, commits, processId }: Foundation): Omit<SqlStore, 'close'> {
  const queries = sqliteQueries();
  const changes = new ChangeVersion(connection);
  const runner = new SqliteScriptRunner(connection, commits, changes);
  return {
    ledger: new SqliteLedger({ connection, commits, queries, runner, processId }),
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    books: new SqlRequestBooks(queries, runner),
    accounts: new SqlAccountRepository(queries, runner),
    keys: new SqlKeyRepository(new KeyScripts(queries), runner, new SqliteKeyDirectory(connection, changes)),
    usage: new SqlUsageReader(queries, runner),
    idempotency: new SqlIdempotencyStore(new IdempotencyScripts(queries, processId), runner),
    platform: new SqlitePlatformState(queries, runner, changes),
    controls: new SqlOperatorControls(queries, runner),
    auditTrail: new SqlAuditTrail(queries, runner),
  };
}

/**
 * Opens the embedded database and brings its schema up to date. Throws `DatabaseUnavailableError` when the file cannot be used
 * and `NewerDatabaseError` when a newer program wrote it. Several processes may have it open, but only one as its gateway;
 * each sees at once what others wrote.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqlStore> {
  const { file, clock, processId, role, onMigrated = () => undefined } = options;
  const connection = openConnection(file);
  let soleGateway: SoleGateway | null = null;
  let log: WriteAheadLog | null = null;
  try {
    soleGateway = role === 'gateway' ? becomeSoleGateway(file) : null;
    stopBlocking(connection);
    await migrateSqlite(connection, onMigrated);
    log = new WriteAheadLog(connection);
    const { commits, keeper } = openCommits(connection, log, options);
    const ports = assemble({ connection, commits, processId });
    await ports.ledger.checkpoint({
      ownerId: processId, progress: new Map(), at: clock.now(), leaseExpiresAt: later(clock.now(), FIRST_LEASE_MILLISECONDS),
    });
    const close = async (): Promise<void> => {
      await ports.ledger.retire(processId);
      await commits.close();
      await keeper?.close();
      log?.close();
      connection.close();
      soleGateway?.release();
    };
    return { ...ports, close };
  } catch (thrown) {
    log?.close();
    connection.close();
    soleGateway?.release();
    throw thrown;
  }
}
