import { join } from 'node:path';
import { Databases, DatabaseUnavailableError, IN_MEMORY, NewerDatabaseError, type SqlStore } from '@tollgate/sql-common';
import type { Settings } from '@tollgate/adapters-config';
import { assertNever, type Clock, type Ledger, type ProcessId } from '@tollgate/core';
import type { Logger } from 'pino';
import { OutboxLedger, type OutboxReport } from '@tollgate/adapters-node';
import { StartRefused } from '../http/server/create-server.js';
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

export interface OutboxPorts {
  readonly configuration: Settings;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Where gateways keep what is theirs alone when their database is elsewhere. */
const DATA_FOLDER = 'data';

/** A file that no other gateway uses: beside its own database, or named after its own address. `null` where there is none to name it after. */
function outboxFileOf({ database, outboxFile, host, port }: Settings): string | null {
  switch (database.kind) {
    case 'sqlite': return database.path === IN_MEMORY ? null : outboxFile ?? `${database.path}-outbox`;
    case 'postgres': return outboxFile ?? (port === 0 ? null : join(DATA_FOLDER, `outbox-${host.replaceAll(/[^\w.]/g, '_')}-${port}`));
    default: return assertNever(database);
  }
}

function reportTo(log: Logger): OutboxReport {
  return {
    kept: (reservationId, err) => log.error({ reservationId, err }, 'the database did not accept a settlement; it is kept on disk and retried'),
    notStored: (reservationId, err) => log.error({ reservationId, err }, 'a settlement could not be written to disk; it is retried while this process runs'),
    delivered: (reservationId, settlement) => log.warn({ reservationId, charged: settlement.charge.amount.toString() }, 'the database accepted a settlement that was kept on disk'),
    dropped: (reservationId, err) => log.error({ reservationId, err }, 'a settlement was discarded; the sweeper ends its reservation'),
    fileProblem: (err) => log.error({ err }, 'the outbox of settlements could not be read or emptied'),
  };
}

/**
 * A ledger that keeps on this machine the settlements that the database does not take; `null` where it has no file for them.
 * Throws `StartRefused` when what an earlier process kept cannot be read.
 */
export async function openOutbox({ configuration, ledger, clock, log }: OutboxPorts): Promise<OutboxLedger | null> {
  const file = outboxFileOf(configuration);
  if (file === null) return null;
  return OutboxLedger.open({ ledger, file, clock, report: reportTo(log) }).catch((cause: unknown) => {
    throw new StartRefused([`DATABASE_URL: the settlements kept in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`], { cause });
  });
}
