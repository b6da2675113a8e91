import type { Queries } from '@tollgate/sql-common';
import type { RawBuilder } from 'kysely';
import type { QueryConfig } from 'pg';

export function queryConfigOf(queries: Queries, statement: RawBuilder<unknown>): QueryConfig {
  const { sql: text, parameters } = statement.compile(queries);
  return { text, values: [...parameters] };
}
