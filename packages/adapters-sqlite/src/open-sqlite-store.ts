import { resolve } from 'node:path';
import { BookingObservers, type Clock, GatewayError, later, type ProcessId, StoreUnavailable } from '@tollgate/core';
import {
  DatabaseUnavailableError, FIRST_LEASE_MILLISECONDS, IN_MEMORY, NO_WAL_REPORT, positionEvents, positionUsage, type Queries,
  SqlAccountErasure, SqlAccountNoteRecords, SqlAccountRepository, SqlAlertRecords, SqlAuditTrail, SqlBackgroundEvents, SqlBalanceAlerts, SqlEventLog, SqlFactorRecords, SqlIdempotencyStore, SqlInstallation, SqlIssuerRecords, sqliteQueries,
  type SqliteStoreOptions, SqlKeyRepository, SqlLedgerAudit, SqlMachineClaims, SqlMachineRecords, SqlMailOutbox, SqlNoticeRecords, SqlOperatorControls, SqlOperatorLookups,
  SqlPasskeyRecords, SqlPersonRecords, SqlRequestBooks, SqlResponseStore, SqlSessionRecords, SqlStatementRecords, type SqlStore, SqlStoreHistory, SqlUsageFeed,
  SqlUsageReader, SqlUsageTotals, SqlVoucherRecords, SqlWebhookQueue, SqlWebhookRecords, SqlPaymentRecords, SqlTopUpRecords, SqlCreditRecords, SqlSimulatedCheckouts,
} from '@tollgate/sql-common';
import { GroupCommit } from './durability/group-commit.js';
import { WalKeeper } from './durability/wal-keeper.js';
import { WriteAheadLog } from './durability/write-ahead-log.js';
import { watchDatabaseFile, type WatchedFile } from './file/database-file.js';
import { lockDatabaseFile } from './file/lock-database-file.js';
import { makeDatabase, openConnection, requireDatabase, type SqliteConnection, stopBlocking } from './file/sqlite-connection.js';
import { storeFailure } from './file/sqlite-failures.js';
import { SqliteLedger } from './ledger/sqlite-ledger.js';
import { ChangeVersion } from './reading/change-version.js';
import { SqliteKeyDirectory } from './reading/sqlite-key-directory.js';
import { SqlitePlatformState } from './reading/sqlite-platform-state.js';
import { openInThread, type OpenSnapshotReader } from './reading/background-reader.js';
import { SharedBackgroundReader } from './reading/shared-background-reader.js';
import { SqliteScriptRunner } from './reading/sqlite-script-runner.js';
import { migrateSqlite, SQLITE_MIGRATIONS } from './schema/migrate-sqlite.js';

export type SqliteStore = SqlStore;

interface Commits {
  readonly commits: GroupCommit;
  readonly keeper: WalKeeper | null;
}

interface OpenedFile {
  readonly connection: SqliteConnection;
  readonly file: WatchedFile;
  readonly log: WriteAheadLog;
}

/** A gateway runs checkpoints in another thread. Other programs leave them to SQLite. */
function openCommits({ connection, file, log }: OpenedFile, { role, walReport: report = NO_WAL_REPORT }: SqliteStoreOptions): Commits {
  if (role !== 'gateway' || connection.name === IN_MEMORY) return { commits: new GroupCommit(connection, log, { file }), keeper: null };
  const commits = new GroupCommit(connection, log, { file, onCommitted: (operations) => keeper.committed(operations) });
  const keeper = new WalKeeper({ connection, report, betweenCommits: (task) => commits.pausedFor(task) });
  return { commits, keeper };
}

interface Foundation {
  readonly changes: ChangeVersion;
  readonly connection: SqliteConnection;
  readonly file: WatchedFile;
  readonly commits: GroupCommit;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly backgroundReader: SharedBackgroundReader;
}

function eventPorts(queries: Queries, runner: SqliteScriptRunner): Pick<SqlStore, 'events' | 'usageFeed' | 'backgroundEvents' | 'alerts' | 'alertRecords' | 'noticeRecords' | 'webhooks' | 'webhookQueue' | 'vouchers' | 'payments' | 'topUps' | 'credits' | 'simulatedCheckouts'> {
  return {
    events: new SqlEventLog({ queries, runner, stepper: runner, sequence: () => positionEvents(queries) }),
    usageFeed: new SqlUsageFeed({ queries, runner, stepper: runner, sequence: () => positionUsage(queries) }),
    backgroundEvents: new SqlBackgroundEvents(queries, runner, 'caller'),
    alerts: new SqlBalanceAlerts(queries, runner),
    alertRecords: new SqlAlertRecords(queries, runner),
    payments: new SqlPaymentRecords(queries, runner),
    topUps: new SqlTopUpRecords(queries, runner),
    credits: new SqlCreditRecords(queries, runner),
    simulatedCheckouts: new SqlSimulatedCheckouts(queries, runner),
    vouchers: new SqlVoucherRecords(queries, runner),
    noticeRecords: new SqlNoticeRecords(queries, runner),
    webhooks: new SqlWebhookRecords(queries, runner),
    webhookQueue: new SqlWebhookQueue(queries, runner, 'caller'),
  };
}

function assemble({ connection, file, commits, processId, clock, backgroundReader, changes }: Foundation): Omit<SqlStore, 'close'> {
  const queries = sqliteQueries();
  const bookings = new BookingObservers();
  const runner = new SqliteScriptRunner(connection, commits, { changes, backgroundReader, bookings });
  const responses = new SqlResponseStore({
    queries, runner, clock: 'caller',
    keeping: { steps: (script) => runner.stepsAhead(script) },
    erasing: { steps: (script) => runner.stepsErasing(script) },
  });
  return {
    ledger: new SqliteLedger({ connection, commits, queries, runner, processId, file, bookings }),
    bookings,
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    statements: new SqlStatementRecords(queries, runner, 'caller'),
    books: new SqlRequestBooks(queries, runner),
    accounts: new SqlAccountRepository(queries, runner),
    accountNotes: new SqlAccountNoteRecords(queries, runner),
    erasure: new SqlAccountErasure(queries, runner, { stepper: runner, responses, clock: 'caller' }),
    keys: new SqlKeyRepository(queries, runner, new SqliteKeyDirectory(connection, changes, commits)),
    usage: new SqlUsageReader(queries, runner),
    usageTotals: new SqlUsageTotals({ queries, runner, clock, leaseClock: 'caller' }),
    idempotency: new SqlIdempotencyStore({ queries, runner, self: processId, clock: 'caller' }),
    responses,
    mail: new SqlMailOutbox(queries, runner, 'caller'),
    platform: new SqlitePlatformState(queries, runner, changes),
    controls: new SqlOperatorControls(queries, runner, 'caller'),
    lookups: new SqlOperatorLookups(queries, runner),
    history: new SqlStoreHistory(queries, runner, () => changes.advance()),
    installation: new SqlInstallation(queries, runner),
    auditTrail: new SqlAuditTrail(queries, runner),
    ...eventPorts(queries, runner),
    people: new SqlPersonRecords(queries, runner, 'caller'),
    sessions: new SqlSessionRecords(queries, runner),
    passkeys: new SqlPasskeyRecords(queries, runner),
    issuers: new SqlIssuerRecords(queries, runner),
    factors: new SqlFactorRecords(queries, runner),
    machines: new SqlMachineRecords(queries, runner),
    machineClaims: new SqlMachineClaims(queries, runner),
  };
}

interface Ended extends Commits, Pick<Foundation, 'processId' | 'backgroundReader'> {
  readonly ledger: SqlStore['ledger'];
}

/** Closes the parts in order. The reader finishes its script, the lease is released, and running writes are awaited. */
async function end({ ledger, processId, backgroundReader, commits, keeper }: Ended): Promise<void> {
  await backgroundReader.close();
  await ledger.retire(processId);
  await commits.close();
  await keeper?.close();
}

/** Converts a failure of the disk, such as a full one, to `DatabaseUnavailableError`. Returns other errors unchanged. */
function refusalToOpen(file: string, thrown: unknown): unknown {
  const failure = thrown instanceof GatewayError ? thrown.cause : storeFailure(thrown);
  return failure instanceof StoreUnavailable ? new DatabaseUnavailableError(`file ${resolve(file)}`, failure.cause) : thrown;
}

/**
 * Opens a database file, and migrates its schema. Several processes may have it open, one of them as its gateway; each sees what others wrote within
 * 20 ms. Throws `UnusableSchemaError` if the schema cannot be migrated, `MissingDatabaseError` if the file is missing and must not be created, and
 * `DatabaseUnavailableError` if the file cannot be used.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqlStore> {
  const { file, role, whenMissing } = options;
  if (whenMissing === 'refuse') requireDatabase(file);
  else makeDatabase(file);
  // The file is locked before it is opened, because opening it under another name would create a second log.
  const fileLock = role === 'gateway' ? await lockDatabaseFile(file) : null;
  try {
    return await openStoreOn(openConnection(file), options, { release: async () => fileLock?.release() });
  } catch (thrown) {
    await fileLock?.release();
    throw refusalToOpen(file, thrown);
  }
}

export interface StoreDependencies {
  /** Called after the store is closed. */
  readonly release?: () => Promise<void>;
  /** Opens the reader of long reads. By default, they run in another thread. */
  readonly openReader?: OpenSnapshotReader;
}

/** Like `openSqliteStore`, on an open connection. The connection is closed with the store, and also if the store cannot be opened. */
export async function openStoreOn(connection: SqliteConnection, options: SqliteStoreOptions, { release = async () => undefined, openReader = openInThread }: StoreDependencies = {}): Promise<SqlStore> {
  const { clock, processId, onMigrated = () => undefined } = options;
  let log: WriteAheadLog | null = null;
  try {
    stopBlocking(connection);
    await migrateSqlite(connection, { migrations: SQLITE_MIGRATIONS, onMigrated });
    log = new WriteAheadLog(connection);
    const watched = await watchDatabaseFile(connection);
    const { commits, keeper } = openCommits({ connection, file: watched, log }, options);
    const backgroundReader = new SharedBackgroundReader(connection.name, openReader);
    const changes = new ChangeVersion(connection, options.elapsed);
    const ports = assemble({ connection, file: watched, commits, processId, clock, backgroundReader, changes });
    await ports.ledger.checkpoint({
      ownerId: processId, progress: new Map(), at: clock.now(), leaseExpiresAt: later(clock.now(), FIRST_LEASE_MILLISECONDS),
    });
    const close = async (): Promise<void> => {
      try {
        await end({ ledger: ports.ledger, processId, backgroundReader, commits, keeper });
      } finally {
        log?.close();
        connection.close();
        await release();
      }
    };
    return { ...ports, close };
  } catch (thrown) {
    log?.close();
    connection.close();
    throw thrown;
  }
}
