import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import {
  createAccounts, createApiKeys, createAuditTrail, createLedgerEntries, createPlatform, createReservations, createRollUps,
  createUsageRecords,
} from './0001-initial.js';
import {
  addIncidentLimitSetting, addReasoningWithheld, anchorAuditTrail, createIdempotencyKeys, createInstallation, createMailOutbox,
  dropIndexesByModelAndKey,
} from './0003-to-0009.js';
import { addAccountDeletion, addAuditTexts, addKeyLimits, addKeyModels, createPeople } from './0010-to-0013.js';
import {
  addOperatorControls, addSecondFactors, addSuspensionReasons, addUsageSettlements, createPlaygroundKeys, createSignInMethods,
  createSignupCredits, createStoredResponses, createUsageTotals, dateUnverifiedPeople, indexOperatorLookups, indexUsageOfAllAccounts,
} from './0014-to-0026.js';
import { addOmittedSettings } from './0036-omitted-settings.js';
import { createSignupCreditNetworks, rankMail } from './0029-mail-and-credits.js';
import { addFailures, createStrangerAttempts } from './0028-failures.js';
import { addLeaseRenewals, addPurchases } from './0027.js';

/** Where databases differ in how a schema is declared; everything else in the migrations is common to all. */
export interface SchemaDialect {
  /** The type of a column that the database numbers by itself. */
  readonly sequenceType: 'integer' | 'bigint';
  /** Makes such a column the primary key, with numbers that are never used twice. */
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Makes every later change or removal of a row fail. */
  makeAppendOnly(db: Kysely<unknown>, table: string): Promise<void>;
  /** Lifts what `makeAppendOnly` forbids, as far as it is in force. */
  allowChanges(db: Kysely<unknown>, table: string): Promise<void>;
  /** Replaces the list of kinds that the check of `ledger_entries` allows; `earlier` is the list that the schema has. */
  allowEntryKinds(db: Kysely<unknown>, kinds: { readonly earlier: readonly string[]; readonly allowed: readonly string[] }): Promise<void>;
  /** Tells gateways of every change of a table that the platform's state is read from, where the database does so. */
  announcePlatform(db: Kysely<unknown>, table: string): Promise<void>;
  /** Steps that only this database takes, by names that sort among the common ones. */
  readonly ownSteps: Readonly<Record<string, Migration>>;
}

export const MIGRATION_TABLE = 'schema_migrations';
const MIGRATION_LOCK_TABLE = 'schema_migration_lock';

/** Told of each step once it is in force. */
export type MigrationListener = (step: string) => void;

export interface MigrationSource {
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly onMigrated: MigrationListener;
  /** Told that no step was ever taken, before any is; throws to stop that. */
  readonly onEmpty?: () => void;
}

/** The database was written by a newer program than this one, which therefore must not touch it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(unknownSteps: readonly string[]) {
    super(`the database was written by a newer version of Tollgate (it has ${unknownSteps.join(', ')}); start that version, or restore a backup made before it`);
  }
}

async function appliedSteps(db: Kysely<unknown>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Brings the schema up to date; does nothing when it is. All pending steps take effect, or none. */
export async function migrate(db: Kysely<unknown>, { migrations, onMigrated, onEmpty = () => undefined }: MigrationSource): Promise<void> {
  const applied = await appliedSteps(db);
  if (applied.length === 0) onEmpty();
  const unknownSteps = applied.filter((step) => !Object.hasOwn(migrations, step));
  if (unknownSteps.length > 0) throw new NewerDatabaseError(unknownSteps);
  if (applied.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  for (const { migrationName } of results) onMigrated(migrationName);
}

async function createFirstSchema(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createAccounts(db);
  await createApiKeys(db);
  await createReservations(db);
  await createLedgerEntries(db, dialect);
  await createUsageRecords(db, dialect);
  await createRollUps(db);
  await createPlatform(db);
  await createAuditTrail(db, dialect);
}

/**
 * Every step the schema took, by a name that sorts in order. Steps that have been released are never edited.
 * There is no way back: an older program refuses a newer database.
 */
export function migrationsFor(dialect: SchemaDialect): Readonly<Record<string, Migration>> {
  return {
    '0001-initial': { up: (db: Kysely<unknown>) => createFirstSchema(db, dialect) },
    ...dialect.ownSteps,
    '0003-idempotency': { up: createIdempotencyKeys },
    '0004-fewer-usage-indexes': { up: dropIndexesByModelAndKey },
    '0005-withheld-reasoning': { up: addReasoningWithheld },
    '0006a-incident-limit-settings': { up: addIncidentLimitSetting },
    '0006b-audit-anchor': { up: anchorAuditTrail },
    '0008-mail-outbox': { up: createMailOutbox },
    '0009-installation': { up: createInstallation },
    '0010-account-deletion': { up: (db: Kysely<unknown>) => addAccountDeletion(db, dialect) },
    '0011a-key-models': { up: addKeyModels },
    '0011b-key-limits': { up: addKeyLimits },
    '0012-people': { up: createPeople },
    '0013-audit-texts': { up: (db: Kysely<unknown>) => addAuditTexts(db, dialect) },
    '0014-second-factors': { up: addSecondFactors },
    '0015-sign-in-methods': { up: createSignInMethods },
    '0016-usage-of-all-accounts': { up: indexUsageOfAllAccounts },
    '0017-operator-controls': { up: (db: Kysely<unknown>) => addOperatorControls(db, dialect) },
    '0019-operator-lookups': { up: indexOperatorLookups },
    '0020-usage-totals': { up: createUsageTotals },
    '0021-usage-settlements': { up: addUsageSettlements },
    '0022-signup-credits': { up: createSignupCredits },
    '0023-playground-keys': { up: createPlaygroundKeys },
    '0024a-unverified-people': { up: dateUnverifiedPeople },
    '0024b-suspension-reasons': { up: addSuspensionReasons },
    '0026-stored-responses': { up: (db: Kysely<unknown>) => createStoredResponses(db, dialect) },
    '0027a-lease-renewals': { up: addLeaseRenewals },
    '0027b-purchases': { up: addPurchases },
    '0028a-failures': { up: addFailures },
    '0028b-stranger-attempts': { up: createStrangerAttempts },
    '0029a-signup-credit-networks': { up: createSignupCreditNetworks },
    '0029b-mail-ranks': { up: rankMail },
    '0036a-omitted-settings': { up: addOmittedSettings },
  };
}
