import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { compareSteps } from './compare-steps.js';
import { NewerDatabaseError } from './schema-errors.js';

export const MIGRATION_TABLE = 'schema_migrations';
const MIGRATION_LOCK_TABLE = 'schema_migration_lock';

/** Called with the name of each step that was applied. */
export type MigrationListener = (step: string) => void;

export interface MigrationSource {
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly onMigrated: MigrationListener;
  /** Called before the first step if the database is empty. If it throws, the database is not migrated. */
  readonly onEmpty?: () => void;
}

export interface MigratedDatabase {
  readonly db: Kysely<unknown>;
  /** Checks a single table, because Kysely's introspection reads the columns of all tables. */
  readonly hasTable: (name: string) => Promise<boolean>;
}

async function appliedSteps({ db, hasTable }: MigratedDatabase): Promise<readonly string[]> {
  if (!await hasTable(MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Applies all pending steps, or none if one fails. Throws `NewerDatabaseError` if a newer version has migrated the database, and
 * `UnreleasedDatabaseError` if it is from before the first release.
 */
export async function migrate(database: MigratedDatabase, { migrations, onMigrated, onEmpty = () => undefined }: MigrationSource): Promise<void> {
  const applied = await appliedSteps(database);
  if (applied.length === 0) onEmpty();
  const { pendingSteps, unknownSteps } = compareSteps(applied, Object.keys(migrations));
  if (unknownSteps.length > 0) throw new NewerDatabaseError(unknownSteps);
  if (pendingSteps.length === 0) return;
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  for (const { migrationName } of results) onMigrated(migrationName);
}
