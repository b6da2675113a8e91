import type {
  ClaimOutcome, FinishCommand, IdempotencyClaim, IdempotencyClaimName, IdempotencyStore, Instant, ProcessId, RequestId, StoredReply,
} from '@tollgate/core';
import { endBy, type LeaseClock, presentBy } from './lease-clock.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script, type StepRunner } from './script.js';

/** Keys of requests in any SQL database. */
export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly scripts: IdempotencyScripts, private readonly runner: StepRunner) {}

  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.runner.steps(() => this.scripts.claim(claim));
  }

  finish(command: FinishCommand): Promise<void> {
    return this.runner.steps(() => this.scripts.finish(command));
  }

  release(claim: IdempotencyClaimName): Promise<void> {
    return this.runner.steps(() => this.scripts.release(claim));
  }

  sweep(now: Instant, keptUntil: Instant): Promise<number> {
    return this.runner.steps(() => this.scripts.sweep(now, keptUntil));
  }
}

/** Rows that one sweep ends of each kind, so that it leaves room for requests. */
const SWEEP_MAXIMUM = 500;
/** A key that is released between two reads is tried again; no client can do that so often. */
const MOST_ATTEMPTS = 5;

interface KeptRow {
  readonly request_id: string;
  readonly fingerprint: string;
  readonly finished: bigint | number;
  readonly reply: string | null;
}

function outcomeOf(claim: IdempotencyClaim, row: KeptRow): ClaimOutcome {
  const requestId = row.request_id as RequestId;
  if (requestId === claim.requestId) return { outcome: 'claimed' };
  if (row.fingerprint !== claim.fingerprint) return { outcome: 'other-request', requestId };
  if (Number(row.finished) === 0) return { outcome: 'running', requestId };
  return { outcome: 'finished', requestId, reply: row.reply === null ? null : JSON.parse(row.reply) as StoredReply };
}

/** What is done to keys of requests, in queries each of which is right by itself. */
export class IdempotencyScripts {
  constructor(private readonly queries: Queries, private readonly self: ProcessId, private readonly clock: LeaseClock) {}

  * claim(claim: IdempotencyClaim): Script<ClaimOutcome> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      if (yield* this.take(claim)) return { outcome: 'claimed' };
      const row = yield* firstOf(this.queries.selectFrom('idempotency_keys').select(['request_id', 'fingerprint', 'finished', 'reply'])
        .where('account_id', '=', claim.accountId).where('key', '=', claim.key));
      if (row !== null) return outcomeOf(claim, row);
    }
    throw new Error('a key was taken and given up again and again while it was claimed');
  }

  * finish({ reply, at, expiresAt, ...name }: FinishCommand): Script<void> {
    yield* changesOf(this.queries.updateTable('idempotency_keys')
      .set({ finished: 1, reply: reply === null ? null : JSON.stringify(reply), expires_at: endBy(this.clock, { given: at, end: expiresAt }) })
      .where('account_id', '=', name.accountId).where('key', '=', name.key).where('request_id', '=', name.requestId).where('finished', '=', 0n));
  }

  * release({ accountId, key, requestId }: IdempotencyClaimName): Script<void> {
    yield* changesOf(this.queries.deleteFrom('idempotency_keys')
      .where('account_id', '=', accountId).where('key', '=', key).where('request_id', '=', requestId).where('finished', '=', 0n));
  }

  * sweep(now: Instant, keptUntil: Instant): Script<number> {
    const expired = this.queries.selectFrom('idempotency_keys').select('request_id').where('expires_at', '<=', presentBy(this.clock, now)).limit(SWEEP_MAXIMUM);
    const forgotten = yield* changesOf(this.queries.deleteFrom('idempotency_keys').where('request_id', 'in', expired));
    return forgotten + (yield* this.endOrphans(now, keptUntil));
  }

  /** The key is free, or its claim is void: one statement decides, so that one of many takes it. */
  private* take({ accountId, key, requestId, ownerId, fingerprint, at, expiresAt }: IdempotencyClaim): Script<boolean> {
    const claimed = { request_id: requestId, owner_id: ownerId, fingerprint, finished: 0, reply: null, expires_at: endBy(this.clock, { given: at, end: expiresAt }) };
    const changes = yield* changesOf(this.queries.insertInto('idempotency_keys').values({ account_id: accountId, key, ...claimed })
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(claimed).where('idempotency_keys.expires_at', '<=', presentBy(this.clock, at))));
    return changes > 0;
  }

  /** A request that was charged to its end before its process died stays finished, although its reply is lost. */
  private* endOrphans(now: Instant, keptUntil: Instant): Script<number> {
    const { queries } = this;
    const rows = yield* rowsOf(queries.selectFrom('idempotency_keys').select('request_id')
      .where('finished', '=', 0n).where('owner_id', '<>', this.self)
      .where((where) => where.not(where.exists(where.selectFrom('process_leases').select('process_id')
        .whereRef('process_leases.process_id', '=', 'idempotency_keys.owner_id').where('process_leases.expires_at', '>', presentBy(this.clock, now)))))
      .limit(SWEEP_MAXIMUM));
    if (rows.length === 0) return 0;
    const orphans = rows.map(({ request_id }) => request_id);
    yield* changesOf(queries.updateTable('idempotency_keys').set({ finished: 1, expires_at: endBy(this.clock, { given: now, end: keptUntil }) })
      .where('request_id', 'in', orphans).where('finished', '=', 0n)
      .where((where) => where.exists(where.selectFrom('usage_records').select('usage_records.request_id')
        .whereRef('usage_records.request_id', '=', 'idempotency_keys.request_id').where('end_reason', '=', 'completed'))));
    yield* changesOf(queries.deleteFrom('idempotency_keys').where('request_id', 'in', orphans).where('finished', '=', 0n));
    return orphans.length;
  }
}
