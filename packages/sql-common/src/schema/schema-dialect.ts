import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Differences between the schemas of the two databases. */
export interface SchemaDialect {
  /** Type of columns whose numbers the database assigns. */
  readonly sequenceType: 'integer' | 'bigint';
  /** Makes a column a primary key whose numbers are never reused. */
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  makeAppendOnly(db: Kysely<unknown>, table: string): Promise<void>;
  /** Steps that only this database has. Their names determine their order among the common steps. */
  readonly ownSteps: Readonly<Record<string, Migration>>;
}
