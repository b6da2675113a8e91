import type { Clock } from '@tollgate/core';
import { compareSteps, databaseNameOf, type InspectedDatabase, isCurrent, MIGRATION_TABLE, MissingDatabaseError } from '@tollgate/sql-common';
import type { Client } from 'pg';
import { openClient } from './connection/open-client.js';
import { withTimeout } from './connection/with-timeout.js';
import { POSTGRES_MIGRATIONS } from './schema/migrate-postgres.js';

/**
 * Throws `MissingDatabaseError` if the database has no tables of Tollgate, `UnreleasedDatabaseError` if they are older than the first release, and
 * the driver's errors.
 */
export async function inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase> {
  const client = await openClient(url, 'short');
  try {
    if (!await hasSchema(client)) throw new MissingDatabaseError(databaseNameOf(url));
    const applied = await textsOf(client, `select name as text from ${MIGRATION_TABLE}`);
    const differences = compareSteps(applied, Object.keys(POSTGRES_MIGRATIONS));
    return {
      outcome: 'inspected',
      ...differences,
      fingerprint: (await textsOf(client, 'select fingerprint as text from installation'))[0] ?? null,
      hasOperator: isCurrent(differences) ? (await textsOf(client, "select id as text from people where role = 'operator' limit 1")).length > 0 : null,
      clockAheadMilliseconds: await clockAhead(client, clock),
    };
  } finally {
    await withTimeout(client.end());
  }
}

async function hasSchema(client: Client): Promise<boolean> {
  return (await textsOf(client, `select 'yes' as text where to_regclass('${MIGRATION_TABLE}') is not null`)).length > 0;
}

async function textsOf(client: Client, query: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ text: string }>(query);
  return rows.map(({ text }) => text);
}

/** Time of the server minus time of `clock`, in milliseconds. Assumes that the server answered in the middle of the round trip. */
async function clockAhead(client: Client, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [serverMilliseconds] = await textsOf(client, 'select floor(extract(epoch from clock_timestamp()) * 1000)::text as text');
  return Math.round(Number(serverMilliseconds) - (asked + clock.now()) / 2);
}
