import { randomBytes } from 'node:crypto';
import { Databases, DatabaseUnavailableError, INITIAL_STEP, type LeaseClock, type SqlStore, UnusableSchemaError } from '@tollgate/sql-common';
import {
  type DashboardSettings, makeSecretFile, outboxFileOf, readSecretFile, type SecretFileReading, type SecretSettings, type SecretSource, type Settings,
} from '@tollgate/adapters-config';
import {
  assertNever, type Clock, type IdempotencyClaimName, type IdempotencyStore, type InstallationRegistry, type ProcessId, ReversalRefused,
  SYSTEM_ACTOR,
} from '@tollgate/core';
import { type MachineRecords, SignupCredits } from '@tollgate/identity';
import type { Logger } from 'pino';
import { HmacAddressHashes, InstallationSecret, type LedgerWatch, MAX_RELEASES, OutboxIdempotency, OutboxLedger, type OutboxReport } from '@tollgate/adapters-node';
import { StartRefused } from '../http/server/create-server.js';
import type { WalHealth } from '../observability/wal-health.js';

/** Adapters and drivers are loaded on first use. */
const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });

/** Persistent ports. A store in memory has no history and no machines. */
export type Store = Pick<
  SqlStore,
  'accounts' | 'auditTrail' | 'bookings' | 'controls' | 'erasure' | 'factors' | 'idempotency' | 'installation' | 'issuers' | 'keys' | 'ledger' | 'ledgerAudit' | 'lookups' | 'mail' | 'passkeys' | 'people'
  | 'platform' | 'responses' | 'sessions' | 'usage' | 'usageTotals'
> & Partial<Pick<SqlStore, 'history' | 'machines'>>;

/** For stores without machine credentials: none is found, and `create` is refused. */
export const NO_MACHINES: MachineRecords = {
  create: () => Promise.resolve('too-many'), list: () => Promise.resolve([]), rotate: () => Promise.resolve(null), revoke: () => Promise.resolve(false),
  findByHash: () => Promise.resolve(null), noteUse: () => Promise.resolve(),
};

interface StorePorts {
  readonly configuration: Settings;
  readonly clock: Clock;
  readonly leaseClock: LeaseClock;
  readonly processId: ProcessId;
  readonly elapsed: () => number;
  readonly log: Logger;
  readonly walHealth: WalHealth;
}

/** Throws `StartRefused` if the operator can fix what prevents opening. */
export async function openGatewayStore({ configuration: { database }, clock, leaseClock, processId, elapsed, log, walHealth }: StorePorts): Promise<SqlStore> {
  const steps: string[] = [];
  const store = await refusingStart(databases.open(database, { role: 'gateway', clock, leaseClock, processId, elapsed, walReport: walHealth, onMigrated: (step) => steps.push(step) }));
  logMigration(steps, log);
  return store;
}

/** One line for a new database, or one per upgrade step. */
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

export interface OutboxPorts {
  readonly configuration: Settings;
  readonly store: Pick<Store, 'ledger'>;
  readonly watch: LedgerWatch;
  readonly clock: Clock;
  readonly log: Logger;
}

function reportTo(log: Logger): OutboxReport {
  return {
    kept: (reservationId, err) => log.error({ reservationId, err }, 'the database did not accept a settlement; the gateway queues it on disk and retries'),
    notStored: (reservationId, err) => log.error({ reservationId, err }, 'a settlement could not be written to disk; the gateway retries it while this process runs'),
    delivered: (reservationId, settlement) => log.warn({ reservationId, charged: settlement.charge.amount.toString() }, 'the database accepted a settlement that was queued on disk'),
    dropped: (reservationId, err) => log.error({ reservationId, err }, err instanceof ReversalRefused
      ? 'an excess charge could not be refunded; refund it manually'
      : 'a settlement was discarded; the sweeper ends its reservation'),
    fileProblem: (err) => log.error({ err }, 'the settlement outbox could not be read or emptied'),
    fileFailing: (err) => log.error({ err }, 'the settlement outbox cannot be written or synced; requests are refused with 503 while the database does not accept settlements either'),
    fileWorks: () => log.info('the settlement outbox can be written again'),
    releaseDropped: (reservationId) => log.error({ reservationId, limit: MAX_RELEASES }, 'too many reservations are waiting for their release; the sweeper ends this one and further ones'),
  };
}

/**
 * Queues settlements on the local disk while the database is unavailable, if the settings have a file for them. Throws `StartRefused` if
 * the file cannot be read.
 */
export function openOutbox({ configuration, store: { ledger }, watch, clock, log }: OutboxPorts): Promise<OutboxLedger> {
  const file = outboxFileOf(configuration);
  return OutboxLedger.open({ ledger, file, clock, report: reportTo(log), watch }).catch((cause: unknown) => {
    throw new StartRefused([`DATABASE_URL: the settlements queued in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`], { cause });
  });
}

/** Queues ends of idempotent requests likewise. Throws `StartRefused` if the file cannot be read. */
export function openOutboxOfReplies({ configuration, idempotency, clock, log }: Omit<OutboxPorts, 'store' | 'watch'> & { readonly idempotency: IdempotencyStore }): Promise<OutboxIdempotency> {
  const beside = outboxFileOf(configuration);
  const file = beside === null ? null : `${beside}-replies`;
  const onFileProblem = (err: unknown): void => log.error({ err }, 'the outbox of replies could not be read, written or emptied');
  const onStuck = ({ requestId }: IdempotencyClaimName, err: unknown): void => log.error({ requestId, err }, 'the result of a request with an idempotency key cannot be stored although the database accepts others; the gateway retries with increasing delays');
  return OutboxIdempotency.open({ idempotency, file, clock, onFileProblem, onStuck }).catch((cause: unknown) => {
    throw new StartRefused([`DATABASE_URL: the replies queued in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`], { cause });
  });
}

const PASSING_SECRET_BYTES = 32;
const WITHOUT_SECRET = 'SECRET and SECRET_FILE are not set, and gateways on PostgreSQL have to share one secret: the dashboard and sealed reasoning are off';
const OF_ANOTHER = 'this database belongs to another secret. Give this gateway the secret that the other gateways have. To replace that secret, set '
  + 'SECRET_PREVIOUS to it, and SECRET or SECRET_FILE to the new one. If it is lost, `tollgate database forget-secret` lets the next start record a new one';

interface SecretPorts {
  readonly secret: SecretSettings;
  readonly registry: InstallationRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Checked against the store's fingerprint; `null` if not configured. Throws `StartRefused` if it is unusable or the store has another one. */
export async function openInstallationSecret({ secret: { source, previous }, registry, clock, log }: SecretPorts): Promise<InstallationSecret | null> {
  const bytes = await secretOf(source, registry);
  if (bytes === null) {
    log.warn(WITHOUT_SECRET);
    return null;
  }
  const secret = new InstallationSecret(bytes, previous);
  const claim = await registry.claim(secret.fingerprints(), { actor: SYSTEM_ACTOR, at: clock.now() });
  if (claim === 'other') throw new StartRefused([`${source.kind === 'file' ? `SECRET_FILE (${source.path})` : 'SECRET'}: ${OF_ANOTHER}`]);
  if (claim === 'rotated') log.info('the secret was rotated; a gateway that has only the previous secret no longer starts');
  return secret;
}

function secretOf(source: SecretSource, registry: InstallationRegistry): Promise<Uint8Array | null> {
  switch (source.kind) {
    case 'none': return Promise.resolve(null);
    case 'value': return Promise.resolve(source.secret);
    case 'passing': return Promise.resolve(new Uint8Array(randomBytes(PASSING_SECRET_BYTES)));
    case 'file': return secretInFile(source, registry);
    default: return assertNever(source);
  }
}

/** Creates a missing file for a new store only: another secret would not match an existing store. */
async function secretInFile({ path, whenMissing }: SecretSource & { kind: 'file' }, registry: InstallationRegistry): Promise<Uint8Array> {
  const found = readSecretFile(path);
  if (found.outcome !== 'missing') return usable(found);
  if (whenMissing === 'refuse') throw new StartRefused([`SECRET_FILE: there is no file ${path}, and gateways on PostgreSQL have to share one secret; \`openssl rand -hex 32\` prints one`]);
  if (await registry.fingerprint() !== null) {
    throw new StartRefused([`SECRET_FILE: there is no file ${path}, and this database belongs to the secret that was in it. Restore the file. `
      + 'If it is lost, `tollgate database forget-secret` lets the next start make a new one']);
  }
  return usable(makeSecretFile(path));
}

function usable(reading: SecretFileReading): Uint8Array {
  if (reading.outcome === 'read') return reading.secret;
  throw new StartRefused([`SECRET_FILE: ${reading.outcome === 'missing' ? 'the file has disappeared' : reading.problem}`]);
}

const CREDITS_WITHOUT_SECRET = 'SIGNUP_CREDIT has no effect: without SECRET or SECRET_FILE the gateway cannot tell which addresses it has credited';

/** `null` for none; logs a configured credit that cannot be given. */
export function openSignupCredits({ signupCredit }: Pick<DashboardSettings, 'signupCredit'>, secret: InstallationSecret | null, log: Logger): SignupCredits | null {
  if (signupCredit === null) return null;
  if (secret !== null) return new SignupCredits(signupCredit, new HmacAddressHashes(secret.keysFor('signup-credit')));
  log.warn(CREDITS_WITHOUT_SECRET);
  return null;
}
