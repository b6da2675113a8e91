import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where databases differ in how a schema is declared; everything else in the migrations is common to all. */
export interface SchemaDialect {
  /** The type of a column that the database numbers by itself. */
  readonly sequenceType: 'integer' | 'bigint';
  /** Makes such a column the primary key, with numbers that are never used twice. */
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Makes every later change or removal of a row fail. */
  makeAppendOnly(db: Kysely<unknown>, table: string): Promise<void>;
  /** Steps that only this database takes, by names that sort among the common ones. */
  readonly ownSteps: Readonly<Record<string, Migration>>;
}
