import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Differences between the databases' schemas. */
export interface SchemaDialect {
  /** Type of a column that the database numbers. */
  readonly sequenceType: 'integer' | 'bigint';
  /** A primary key whose numbers are never reused. */
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  makeAppendOnly(db: Kysely<unknown>, table: string): Promise<void>;
  /** Steps of this database only; names sort among the common ones. */
  readonly ownSteps: Readonly<Record<string, Migration>>;
}
