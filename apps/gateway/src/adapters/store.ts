import type { Settings } from '@tollgate/adapters-config';
import type { Clock, MachineClaims, ProcessId } from '@tollgate/core';
import type { MachineRecords } from '@tollgate/identity';
import { Databases, DatabaseUnavailableError, INITIAL_STEP, type LeaseClock, type SqlStore, UnusableSchemaError } from '@tollgate/sql-common';
import type { Logger } from 'pino';
import { StartRefused } from '../http/server/start-refused.js';
import type { WalHealth } from '../observability/wal-health.js';

/** Adapters and drivers are loaded on first use. */
const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });

/** Ports that store something permanently. An embedder's store may lack the optional ones. */
export type Store = Pick<
  SqlStore,
  'accounts' | 'auditTrail' | 'bookings' | 'controls' | 'erasure' | 'factors' | 'idempotency' | 'installation' | 'issuers' | 'keys' | 'ledger' | 'ledgerAudit' | 'lookups' | 'mail' | 'passkeys' | 'people'
  | 'platform' | 'responses' | 'sessions' | 'usage' | 'usageTotals'
> & Partial<Pick<SqlStore, 'accountNotes' | 'alertRecords' | 'alerts' | 'backgroundEvents' | 'credits' | 'events' | 'history' | 'machines' | 'machineClaims' | 'payments' | 'topUps' | 'simulatedCheckouts' | 'noticeRecords' | 'statements' | 'usageFeed' | 'vouchers' | 'webhooks' | 'webhookQueue'>>;

/** For stores without machine credentials: no machine is found, and `create` is refused. */
export const NO_MACHINES: MachineRecords = {
  create: () => Promise.resolve('too-many'), list: () => Promise.resolve([]), rotate: () => Promise.resolve(null), revoke: () => Promise.resolve(false),
  findByHash: () => Promise.resolve(null), noteUse: () => Promise.resolve(),
};

export const NO_MACHINE_CLAIMS: MachineClaims = { find: () => Promise.resolve(null), storeAnswer: () => Promise.resolve(true) };

interface StorePorts {
  readonly configuration: Settings;
  readonly clock: Clock;
  readonly leaseClock: LeaseClock;
  readonly processId: ProcessId;
  readonly elapsed: () => number;
  readonly log: Logger;
  readonly walHealth: WalHealth;
}

/** Opens the database, and logs its migration. Throws `StartRefused` if it cannot be opened for a reason that the operator can remove. */
export async function openGatewayStore({ configuration: { database }, clock, leaseClock, processId, elapsed, log, walHealth }: StorePorts): Promise<SqlStore> {
  const steps: string[] = [];
  const store = await refusingStart(databases.open(database, { role: 'gateway', clock, leaseClock, processId, elapsed, walReport: walHealth, onMigrated: (step) => steps.push(step) }));
  logMigration(steps, log);
  return store;
}

/** Writes one line for a new database, or one per upgrade step. */
export function logMigration(steps: readonly string[], log: Logger): void {
  if (steps.includes(INITIAL_STEP)) log.info({ steps: steps.length }, 'the database schema was created');
  else for (const step of steps) log.info({ step }, 'the database schema was migrated');
}

/** Converts errors that the operator can fix to `StartRefused`. */
export async function refusingStart<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    const isCorrectable = thrown instanceof DatabaseUnavailableError || thrown instanceof UnusableSchemaError;
    throw isCorrectable ? new StartRefused([`DATABASE_URL: ${thrown.message}`], { cause: thrown }) : thrown;
  }
}
