import { outboxFileOf, type Settings } from '@tollgate/adapters-config';
import { type LedgerWatch, MAX_RELEASES, OutboxIdempotency, OutboxLedger, type OutboxReport } from '@tollgate/adapters-node';
import { type Clock, type IdempotencyClaimName, type IdempotencyStore, ReversalRefused } from '@tollgate/core';
import type { Logger } from 'pino';
import { StartRefused } from '../http/server/start-refused.js';
import type { Store } from './store.js';

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
    releaseDropped: (reservationId) => log.error({ reservationId, limit: MAX_RELEASES }, 'too many reservations are waiting for their release; the sweeper ends this reservation and further ones'),
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

/**
 * Queues results of requests with idempotency keys while the database is unavailable: on the local disk if settlements have a file there, otherwise
 * in memory. Throws `StartRefused` if the file of the results cannot be read.
 */
export function openOutboxOfReplies({ configuration, idempotency, clock, log }: Omit<OutboxPorts, 'store' | 'watch'> & { readonly idempotency: IdempotencyStore }): Promise<OutboxIdempotency> {
  const beside = outboxFileOf(configuration);
  const file = beside === null ? null : `${beside}-replies`;
  const onFileProblem = (err: unknown): void => log.error({ err }, 'the file of queued responses to requests with idempotency keys could not be read, written or emptied');
  const onStuck = ({ requestId }: IdempotencyClaimName, err: unknown): void => log.error({ requestId, err }, 'the result of a request with an idempotency key cannot be stored although the database accepts other results; the gateway retries with increasing delays');
  return OutboxIdempotency.open({ idempotency, file, clock, onFileProblem, onStuck }).catch((cause: unknown) => {
    throw new StartRefused([`DATABASE_URL: the replies queued in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`], { cause });
  });
}
