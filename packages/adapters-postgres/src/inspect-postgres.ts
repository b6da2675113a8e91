import type { Clock } from '@tollgate/core';
import {
  compareSteps, databaseNameOf, type InspectedDatabase, INSTALLATION_STEP, MIGRATION_TABLE, migrationsFor, MissingDatabaseError,
} from '@tollgate/sql-common';
import type { Client } from 'pg';
import { openClient, withTimeout } from './connection/connection-pool.js';
import { postgresSchemaDialect } from './schema/postgres-schema-dialect.js';

/** Throws `MissingDatabaseError` where the server's database has no table of Tollgate, and what the driver says. */
export async function inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase> {
  const client = await openClient(url, 'short');
  try {
    if (!await hasSchema(client)) throw new MissingDatabaseError(databaseNameOf(url));
    const applied = await textsOf(client, `select name as text from ${MIGRATION_TABLE}`);
    const fingerprints = applied.includes(INSTALLATION_STEP) ? await textsOf(client, 'select fingerprint as text from installation') : [];
    return {
      outcome: 'inspected',
      ...compareSteps(applied, Object.keys(migrationsFor(postgresSchemaDialect))),
      fingerprint: fingerprints[0] ?? null,
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

/** Compared with the middle of the round trip, when the server read its clock. */
async function clockAhead(client: Client, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [serverMilliseconds] = await textsOf(client, 'select floor(extract(epoch from clock_timestamp()) * 1000)::text as text');
  return Math.round(Number(serverMilliseconds) - (asked + clock.now()) / 2);
}
