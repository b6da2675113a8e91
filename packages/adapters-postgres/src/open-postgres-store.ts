import { BookingObservers, later } from '@tollgate/core';
import {
  compilable, databaseNameOf, DatabaseUnavailableError, FIRST_LEASE_MILLISECONDS, firstOf, MissingDatabaseError, POSITIONS_PER_STEP, postgresQueries,
  type PostgresStoreOptions, type Queries, type Script, type ScriptRunner, SqlAccountErasure, SqlAccountNoteRecords, SqlAccountRepository,
  type LeaseClock, SqlAlertRecords, SqlAuditTrail, SqlBackgroundEvents, SqlBalanceAlerts, SqlEventLog, SqlFactorRecords, SqlIdempotencyStore, SqlInstallation,
  SqlIssuerRecords, SqlKeyRepository, SqlLedgerAudit, SqlMachineClaims, SqlMachineRecords, SqlMailOutbox, SqlNoticeRecords, SqlOperatorControls, SqlOperatorLookups,
  SqlPasskeyRecords, SqlPersonRecords, SqlRequestBooks, SqlResponseStore, SqlSessionRecords, SqlStatementRecords, type SqlStore, SqlStoreHistory, SqlUsageFeed,
  SqlUsageReader, SqlUsageTotals, SqlVoucherRecords, SqlWebhookQueue, SqlWebhookRecords, type StoreOptions, UnusableSchemaError, USAGE_POSITIONS_PER_STEP,
  SqlPaymentRecords, SqlTopUpRecords, SqlCreditRecords, SqlSimulatedCheckouts,
} from '@tollgate/sql-common';
import { sql } from 'kysely';
import { combinedListener } from './changes/combined-listener.js';
import { PostgresChangeChannel } from './changes/postgres-change-channel.js';
import { type BackgroundConnections, newConnections } from './connection/background-connections.js';
import type { ConnectionPool } from './connection/connection-pool.js';
import { closePools, type StorePools, storePools } from './connection/store-pools.js';
import { MoneyQueue } from './ledger/money-queue.js';
import { PostgresLedger } from './ledger/postgres-ledger.js';
import { PostgresKeyDirectory } from './postgres-key-directory.js';
import { PostgresPlatformState } from './postgres-platform-state.js';
import { PostgresScriptRunner } from './postgres-script-runner.js';
import { migratePostgres, POSTGRES_MIGRATIONS } from './schema/migrate-postgres.js';

/** Runs the added functions in reverse order. */
class CloseStack {
  private readonly closings: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.closings.unshift(close);
  }

  async close(): Promise<void> {
    for (const close of this.closings.splice(0)) await close();
  }
}

/** A runner that calls `afterWriting` after each commit. `afterWriting` must not reject, because the write is committed. */
function runnerThat(runner: ScriptRunner, afterWriting: () => Promise<void> | void): ScriptRunner {
  return {
    read: (script) => runner.read(script),
    readInSharedThread: (holder, script) => runner.readInSharedThread(holder, script),
    readInBackground: (script) => runner.readInBackground(script),
    write: async (script) => {
      const result = await runner.write(script);
      await afterWriting();
      return result;
    },
  };
}

/** What a store is opened on: its connections, a function to call before it is opened, and one to call after it is closed. */
export interface StoreGround {
  readonly pools: StorePools;
  readonly background: BackgroundConnections;
  /** Called before the store uses its connections. */
  readonly migrate: () => Promise<void>;
  /** Called when the pools are no longer used: after the store is closed, or if it could not be opened. */
  readonly release: () => Promise<void> | void;
}

async function openChannel({ url, clock }: PostgresStoreOptions, pool: ConnectionPool, opened: CloseStack): Promise<PostgresChangeChannel> {
  const channel = new PostgresChangeChannel({ url, clock, pool });
  await channel.start();
  opened.add(() => channel.stop());
  return channel;
}

async function assemble(options: PostgresStoreOptions, { pools: { pool, moneyPool }, background }: StoreGround, opened: CloseStack): Promise<Omit<SqlStore, 'close'>> {
  const { clock, processId, leaseClock = 'database' } = options;
  const queries = postgresQueries();
  const bookings = new BookingObservers();
  const runner = new PostgresScriptRunner(pool, background, bookings);
  opened.add(() => runner.idle());
  const money = new MoneyQueue(moneyPool);
  opened.add(() => money.close());
  const channel = await openChannel(options, pool, opened);
  const directory = new PostgresKeyDirectory(pool, clock);
  const platform = await PostgresPlatformState.open({ queries, runner, clock });
  opened.add(() => platform.close());
  const cached = combinedListener(directory, platform);
  opened.add(channel.subscribe(cached));
  const forgetting = runnerThat(runner, () => directory.forgetAll());
  // Ending a block also changes cached accounts and keys.
  const showing = runnerThat(forgetting, () => platform.show());
  const responses = new SqlResponseStore({ queries, runner, keeping: runner, erasing: runner, clock: leaseClock });
  return {
    ledger: new PostgresLedger({ pool, money, queries, runner, processId, leaseClock, bookings }),
    bookings,
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    books: new SqlRequestBooks(queries, runner),
    accounts: new SqlAccountRepository(queries, forgetting),
    erasure: new SqlAccountErasure(queries, forgetting, { stepper: runner, responses, clock: leaseClock }),
    keys: new SqlKeyRepository(queries, forgetting, directory),
    usage: new SqlUsageReader(queries, runner),
    usageTotals: new SqlUsageTotals({ queries, runner, clock, leaseClock }),
    responses,
    platform,
    history: new SqlStoreHistory(queries, runner, () => cached.missed()),
    controls: new SqlOperatorControls(queries, showing, leaseClock),
    people: new SqlPersonRecords(queries, forgetting, leaseClock),
    issuers: new SqlIssuerRecords(queries, forgetting),
    payments: new SqlPaymentRecords(queries, forgetting),
    idempotency: new SqlIdempotencyStore({ queries, runner, self: processId, clock: leaseClock }),
    ...uncachedPorts(queries, runner, leaseClock),
  };
}

/** A single statement, which commits by itself. */
function* sequenceEvents(queries: Queries): Script<number> {
  const row = yield* firstOf(compilable(queries, sql<{ positioned: bigint }>`select tollgate_position_events_1(${POSITIONS_PER_STEP}) as positioned`));
  return Number(row?.positioned ?? 0n);
}

/** A single statement, which commits by itself. */
function* sequenceUsage(queries: Queries): Script<number> {
  const row = yield* firstOf(compilable(queries, sql<{ positioned: bigint }>`select tollgate_position_usage_1(${USAGE_POSITIONS_PER_STEP}) as positioned`));
  return Number(row?.positioned ?? 0n);
}

function uncachedPorts(
  queries: Queries, runner: PostgresScriptRunner, leaseClock: LeaseClock,
): Pick<SqlStore, 'lookups' | 'accountNotes' | 'installation' | 'auditTrail' | 'events' | 'usageFeed' | 'backgroundEvents' | 'alerts' | 'alertRecords' | 'noticeRecords' | 'sessions' | 'passkeys' | 'factors' | 'machines' | 'machineClaims' | 'statements' | 'webhooks' | 'webhookQueue' | 'vouchers' | 'mail' | 'simulatedCheckouts' | 'topUps' | 'credits'> {
  return {
    lookups: new SqlOperatorLookups(queries, runner),
    accountNotes: new SqlAccountNoteRecords(queries, runner),
    mail: new SqlMailOutbox(queries, runner, leaseClock),
    installation: new SqlInstallation(queries, runner),
    auditTrail: new SqlAuditTrail(queries, runner),
    events: new SqlEventLog({ queries, runner, stepper: runner, sequence: () => sequenceEvents(queries) }),
    usageFeed: new SqlUsageFeed({ queries, runner, stepper: runner, sequence: () => sequenceUsage(queries) }),
    backgroundEvents: new SqlBackgroundEvents(queries, runner, leaseClock),
    alerts: new SqlBalanceAlerts(queries, runner),
    alertRecords: new SqlAlertRecords(queries, runner),
    noticeRecords: new SqlNoticeRecords(queries, runner),
    sessions: new SqlSessionRecords(queries, runner),
    statements: new SqlStatementRecords(queries, runner, leaseClock),
    passkeys: new SqlPasskeyRecords(queries, runner),
    factors: new SqlFactorRecords(queries, runner),
    machines: new SqlMachineRecords(queries, runner),
    machineClaims: new SqlMachineClaims(queries, runner),
    topUps: new SqlTopUpRecords(queries, runner),
    credits: new SqlCreditRecords(queries, runner),
    simulatedCheckouts: new SqlSimulatedCheckouts(queries, runner),
    vouchers: new SqlVoucherRecords(queries, runner),
    webhooks: new SqlWebhookRecords(queries, runner),
    webhookQueue: new SqlWebhookQueue(queries, runner, leaseClock),
  };
}

function refuseIf(whenMissing: StoreOptions['whenMissing'], url: string): void {
  if (whenMissing === 'refuse') throw new MissingDatabaseError(databaseNameOf(url));
}

async function openPorts(options: PostgresStoreOptions, ground: StoreGround, opened: CloseStack): Promise<Omit<SqlStore, 'close'>> {
  const { url, clock, processId } = options;
  try {
    await ground.migrate();
    const ports = await assemble(options, ground, opened);
    await ports.ledger.checkpoint({
      ownerId: processId, progress: new Map(), at: clock.now(), leaseExpiresAt: later(clock.now(), FIRST_LEASE_MILLISECONDS),
    });
    return ports;
  } catch (thrown) {
    await opened.close();
    throw thrown instanceof UnusableSchemaError || thrown instanceof MissingDatabaseError ? thrown : new DatabaseUnavailableError(databaseNameOf(url), thrown);
  }
}

/**
 * Opens a database, which several gateways may share, and migrates its schema. Notifies other processes of changes. Throws `UnusableSchemaError` if
 * the schema cannot be migrated, `MissingDatabaseError` if an empty database must not be filled, and otherwise `DatabaseUnavailableError`.
 */
export function openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore> {
  const { url, whenMissing, onMigrated = () => undefined } = options;
  const pools = storePools(url);
  return openStoreOver({
    pools,
    background: newConnections(url),
    migrate: () => migratePostgres(url, { migrations: POSTGRES_MIGRATIONS, onMigrated, onEmpty: () => refuseIf(whenMissing, url) }),
    release: () => closePools(pools),
  }, options);
}

/** Throws as `openPostgresStore` does. */
export async function openStoreOver(ground: StoreGround, options: PostgresStoreOptions): Promise<SqlStore> {
  const opened = new CloseStack();
  opened.add(ground.release);
  const ports = await openPorts(options, ground, opened);
  const close = async (): Promise<void> => {
    try {
      await ports.ledger.retire(options.processId);
    } finally {
      await opened.close();
    }
  };
  return { ...ports, close };
}
