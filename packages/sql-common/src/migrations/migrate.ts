import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

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
