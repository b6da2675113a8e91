import {
  type AccountRepository, type AuditTrail, type Clock, type KeyRepository, later, type Ledger, type LedgerAudit, MILLISECONDS_PER_SECOND,
  type OperatorControls, type PlatformState, type ProcessId, type UsageReader,
} from '@tollgate/core';
import { SqlAccountRepository } from '../accounts/sql-account-repository.js';
import { SqlAuditTrail } from '../audit/sql-audit-trail.js';
import { KeyScripts } from '../keys/key-scripts.js';
import { SqlKeyRepository } from '../keys/sql-key-repository.js';
import { SqlOperatorControls } from '../platform/sql-operator-controls.js';
import type { MigrationListener } from '../schema/migrate.js';
import { sqliteQueries } from '../script/queries.js';
import { SqlUsageReader } from '../usage/sql-usage-reader.js';
import { SqlLedgerAudit } from '../verification/sql-ledger-audit.js';
import { ChangeVersion } from './change-version.js';
import { GroupCommit } from './group-commit.js';
import { migrateSqlite } from './migrate-sqlite.js';
import { openConnection, stopBlocking, type SqliteConnection } from './sqlite-connection.js';
import { SqliteKeyDirectory } from './sqlite-key-directory.js';
import { SqliteLedger } from './sqlite-ledger.js';
import { SqlitePlatformState } from './sqlite-platform-state.js';
import { SqliteScriptRunner } from './sqlite-script-runner.js';

export interface SqliteStoreOptions {
  /** Path of the database file, which is created when it is not there; `:memory:` for one that goes with the process. */
  readonly file: string;
  readonly clock: Clock;
  /** This run of this process: the owner of the reservations it opens. */
  readonly processId: ProcessId;
  /** Told of each schema step taken while opening. */
  readonly onMigrated?: MigrationListener;
}

/** Every port that one database serves. */
export interface SqliteStore {
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly usage: UsageReader;
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly auditTrail: AuditTrail;
  /** Waits for what is being written, gives up this process's lease and closes the file. */
  close(): Promise<void>;
}

/** How long a process counts as alive after it opened the store, until its first checkpoint. */
export const FIRST_LEASE_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;

function assemble(connection: SqliteConnection, processId: ProcessId): Omit<SqliteStore, 'close'> & { readonly commits: GroupCommit } {
  const queries = sqliteQueries();
  const commits = new GroupCommit(connection);
  const changes = new ChangeVersion(connection);
  const runner = new SqliteScriptRunner(connection, commits, changes);
  return {
    commits,
    ledger: new SqliteLedger({ connection, commits, queries, runner, processId }),
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    accounts: new SqlAccountRepository(queries, runner),
    keys: new SqlKeyRepository(new KeyScripts(queries), runner, new SqliteKeyDirectory(connection, changes)),
    usage: new SqlUsageReader(queries, runner),
    platform: new SqlitePlatformState(queries, runner, changes),
    controls: new SqlOperatorControls(queries, runner),
    auditTrail: new SqlAuditTrail(queries, runner),
  };
}

/**
 * Opens the embedded database and brings its schema up to date. Throws `DatabaseUnavailableError` when the file cannot be used
 * and `NewerDatabaseError` when a newer program wrote it. Several processes may have it open; each sees at once what others wrote.
 */
export async function openSqliteStore({ file, clock, processId, onMigrated = () => undefined }: SqliteStoreOptions): Promise<SqliteStore> {
  const connection = openConnection(file);
  try {
    stopBlocking(connection);
    await migrateSqlite(connection, onMigrated);
    const { commits, ...ports } = assemble(connection, processId);
    await ports.ledger.checkpoint({
      ownerId: processId, progress: new Map(), at: clock.now(), leaseExpiresAt: later(clock.now(), FIRST_LEASE_MILLISECONDS),
    });
    const close = async (): Promise<void> => {
      await ports.ledger.retire(processId);
      await commits.close();
      connection.close();
    };
    return { ...ports, close };
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}
