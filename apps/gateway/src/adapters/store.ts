import { Databases, DatabaseUnavailableError, NewerDatabaseError, type SqlStore } from '@tollgate/sql-common';
import type { Settings } from '@tollgate/adapters-config';
import type { Clock, ProcessId } from '@tollgate/core';
import type { Logger } from 'pino';
import { StartRefused } from '../http/server/listening.js';
import type { WalHealth } from '../observability/health-reports.js';

/** The adapter of a database, and its driver, are loaded when a database of its kind is opened. */
const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });

/** Everything that is kept when the process ends. */
export type Store = Pick<
  SqlStore,
  'accounts' | 'auditTrail' | 'controls' | 'erasure' | 'factors' | 'idempotency' | 'installation' | 'issuers' | 'keys' | 'ledger' | 'ledgerAudit' | 'lookups' | 'mail' | 'passkeys' | 'people'
  | 'platform' | 'sessions' | 'usage' | 'usageTotals'
>;

export interface StorePorts {
  readonly configuration: Settings;
  readonly clock: Clock;
  readonly processId: ProcessId;
  readonly elapsed: () => number;
  readonly log: Logger;
  readonly walHealth: WalHealth;
}

/** Throws `StartRefused` if the operator can correct what stops the database from being opened. */
export function openGatewayStore({ configuration: { database }, clock, processId, elapsed, log, walHealth }: StorePorts): Promise<SqlStore> {
  return refusingStart(databases.open(database, {
    role: 'gateway', clock, processId, elapsed, walReport: walHealth, onMigrated: (step) => log.info({ step }, 'the database schema was migrated'),
  }));
}

/** Rejects with `StartRefused` if the database refuses what the operator can correct. */
export async function refusingStart<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    const isCorrectable = thrown instanceof DatabaseUnavailableError || thrown instanceof NewerDatabaseError;
    throw isCorrectable ? new StartRefused([`DATABASE_URL: ${thrown.message}`], { cause: thrown }) : thrown;
  }
}
