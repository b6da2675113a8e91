export { SqlAccountErasure } from './erasure/sql-account-erasure.js';
export { SqlAccountRepository } from './accounts/sql-account-repository.js';
export { auditHash, type AuditRow, FIRST_PREVIOUS_HASH } from './audit/append-audit-entry.js';
export { positionEvents, POSITIONS_PER_STEP } from './events/position-events.js';
export { appendEvent } from './events/append-event.js';
export { type AlertColumns, alertsFromRow } from './ledger/alert-rows.js';
export { SqlAlertRecords } from './alerts/sql-alert-records.js';
export { SqlNoticeRecords } from './notices/sql-notice-records.js';
export { SqlBalanceAlerts } from './alerts/sql-balance-alerts.js';
export { SqlBackgroundEvents } from './events/sql-background-events.js';
export { SqlEventLog } from './events/sql-event-log.js';
export { SqlAuditTrail } from './audit/sql-audit-trail.js';
export { SqlIdempotencyStore } from './idempotency/sql-idempotency-store.js';
export { SqlResponseStore } from './responses/sql-response-store.js';
export {
  holderByHash, holderFromRow, type HolderRow, keySpendingFromRow, type KeySpendingRow,
} from './keys/key-rows.js';
export { SqlKeyRepository } from './keys/sql-key-repository.js';
export { LATE_SETTLEMENT_COLUMNS, RESERVATION_COLUMNS, USAGE_RECORD_COLUMNS } from './schema/column-lists.js';
export { countColumn, rateColumn } from './schema/token-columns.js';
export { balanceFromRow, type BalanceRow, type BudgetColumns, budgetFromRow, decodeFacts, encodeFacts, encodeProgress, flagToColumn, instantOrNull, MAX_UNITS, reservationFromRow, type ReservationRow, storableFacts, storableText, storableTextOrNull, storableUnits, SWEPT } from './schema/columns.js';
export { bookMoneyAct } from './ledger/money-act-script.js';
export { SqlOperatorLookups } from './operators/sql-operator-lookups.js';
export { SqlRequestBooks } from './operators/sql-request-books.js';
export { SqlMailOutbox } from './identity/sql-mail-outbox.js';
export { compareSteps } from './migrations/compare-steps.js';
export { migrate, MIGRATION_TABLE, type MigrationListener, type MigrationSource } from './migrations/migrate.js';
export { INITIAL_STEP, migrationsFor } from './migrations/migrations.js';
export type { SchemaDialect } from './schema/schema-dialect.js';
export { NewerDatabaseError, OlderDatabaseError, UnreleasedDatabaseError, UnusableSchemaError } from './migrations/schema-errors.js';
export { SqlMachineClaims } from './idempotency/sql-machine-claims.js';
export { SqlPaymentRecords } from './payments/sql-payment-records.js';
export { SqlSimulatedCheckouts } from './payments/sql-simulated-checkouts.js';
export { SqlVoucherRecords } from './vouchers/sql-voucher-records.js';
export { SqlWebhookQueue } from './webhooks/sql-webhook-queue.js';
export { SqlWebhookRecords } from './webhooks/sql-webhook-records.js';
export { SqlMachineRecords } from './identity/sql-machine-records.js';
export { SqlFactorRecords } from './identity/sql-factor-records.js';
export { SqlIssuerRecords } from './identity/sql-issuer-records.js';
export { SqlPasskeyRecords } from './identity/sql-passkey-records.js';
export { SqlPersonRecords } from './identity/sql-person-records.js';
export { SqlSessionRecords } from './identity/sql-session-records.js';
export { platformSnapshot } from './platform/platform-snapshot.js';
export { SqlOperatorControls } from './operators/sql-operator-controls.js';
export { endBy, type LeaseClock, presentBy } from './script/lease-clock.js';
export { sweptOf } from './ledger/swept-reservations.js';
export { ReadingTurns } from './script/reading-turns.js';
export { awaitScript, compilable, firstOf, postgresQueries, type Queries, type QueryAnswer, rowsOf, runScript, type Script, type ScriptOutcome, type ScriptRunner, sqliteQueries, type StepRunner } from './script/script.js';
export type { DatabaseInspection, InspectedDatabase } from './store/database-inspection.js';
export { type DatabaseAdapters, Databases } from './store/databases.js';
export { type DatabaseLocation, databaseLocationName, databaseNameOf, IN_MEMORY } from './store/database-location.js';
export { DatabaseUnavailableError, MemoryDatabaseError, MissingDatabaseError } from './store/database-errors.js';
export {
  FIRST_LEASE_MILLISECONDS, NO_WAL_REPORT, type PostgresStoreOptions, type SqliteStoreOptions, type StoreOptions, type WalReport,
} from './store/store-options.js';
export type { SqlStore } from './store/sql-store.js';
export { compareHistory, type HistoryComparison, type SeenEntries, type SeenEntry, SqlStoreHistory, type StoreHistory } from './store/store-history.js';
export { type CopyProgress, requireCurrentSchema, type StoreReader } from './store/store-reader.js';
export { SqlInstallation } from './installation/sql-installation.js';
export { MAX_QUICK_SUMMARY, SqlUsageReader } from './usage/sql-usage-reader.js';
export { positionUsage, USAGE_POSITIONS_PER_STEP } from './usage/position-usage.js';
export { SqlUsageFeed } from './usage/sql-usage-feed.js';
export { SqlStatementRecords } from './statements/sql-statement-records.js';
export { SqlUsageTotals } from './usage/sql-usage-totals.js';
export { ACCOUNTS_AT_A_TIME } from './usage/day-totals.js';
export {
  type ChargedParts, endingToColumns, lateSettlementFromRow, type LateSettlementRow, type PurchaseRow, usageRecordFromRow, type UsageRecordRow,
} from './usage/usage-rows.js';
export { SqlLedgerAudit } from './verification/sql-ledger-audit.js';
