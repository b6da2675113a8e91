import {
  type ClaimOutcome, type ClaimProlongation, type FinishCommand, FINISHED_REASONS, type IdempotencyClaim, type IdempotencyClaimName, type IdempotencyStore, type Instant,
  portionsOf, type ProcessId, type ReleaseCommand, type RequestId, type StoredReply,
} from '@tollgate/core';
import { sql } from 'kysely';
import { SWEPT } from '../money/reservation-rows.js';
import { endBy, type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, type Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { deleteReplies } from './delete-replies.js';

/** Maximum number of keys that each step of a sweep voids or deletes. */
const MAX_SWEEP = 500;
const PROLONGED_PER_STEP = 500;
/** Maximum attempts to claim a key that is released between two reads. */
const MAX_ATTEMPTS = 5;

/** Values of `finished`. `VOID` means that the end of the request is unknown: its process was considered dead, or the request exceeded its time. */
const RUNNING = 0n;
const FINISHED = 1n;
const VOID = 2n;

interface KeptRow {
  readonly request_id: string;
  readonly first_request_id: string | null;
  readonly fingerprint: string;
  readonly finished: bigint | number;
  readonly reply_bytes: bigint | number | null;
}

function claimed({ first_request_id: first }: Pick<KeptRow, 'first_request_id'>): ClaimOutcome {
  return { outcome: 'claimed', predecessor: first as RequestId | null };
}

function outcomeOf(claim: IdempotencyClaim, row: KeptRow): ClaimOutcome {
  const requestId = row.request_id as RequestId;
  if (requestId === claim.requestId) return claimed(row);
  if (row.fingerprint !== claim.fingerprint) return { outcome: 'other-request', requestId };
  if (BigInt(row.finished) === RUNNING) return { outcome: 'running', requestId };
  return { outcome: 'finished', requestId, replyBytes: row.reply_bytes === null ? null : Number(row.reply_bytes) };
}

export interface IdempotencyParts {
  readonly queries: Queries;
  readonly runner: StepRunner & Pick<ScriptRunner, 'read'>;
  /** Id of this process. Its running claims are not orphans, even if its lease has expired. */
  readonly self: ProcessId;
  readonly clock: LeaseClock;
}

/** Runs without transactions, because each query leaves a consistent state. */
export class SqlIdempotencyStore implements IdempotencyStore {
  private readonly queries: Queries;
  private readonly clock: LeaseClock;

  constructor(private readonly parts: IdempotencyParts) {
    ({ queries: this.queries, clock: this.clock } = parts);
  }

  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.parts.runner.steps(() => this.takeOrFind(claim));
  }

  async prolong(prolongation: ClaimProlongation): Promise<void> {
    for (const requests of portionsOf(prolongation.requests, PROLONGED_PER_STEP)) {
      await this.parts.runner.steps(() => this.prolongSome({ ...prolongation, requests }));
    }
  }

  async reply({ accountId, key, requestId }: IdempotencyClaimName): Promise<StoredReply | null> {
    const row = await this.parts.runner.read(() => firstOf(this.queries.selectFrom('idempotency_keys').select('reply')
      .where('account_id', '=', accountId).where('key', '=', key).where('request_id', '=', requestId).where('finished', '=', FINISHED)));
    return row === null || row.reply === null ? null : JSON.parse(row.reply) as StoredReply;
  }

  async finish({ reply, at, expiresAt, ...name }: FinishCommand): Promise<void> {
    const kept = reply === null ? null : sql<string | null>`
      case when exists (select 1 from accounts where id = ${name.accountId} and status = 'deleted') then null else ${JSON.stringify(reply)} end`;
    await this.parts.runner.steps(() => changesOf(this.queries.updateTable('idempotency_keys')
      .set({ finished: FINISHED, reply: kept, expires_at: endBy(this.clock, { given: at, end: expiresAt }) })
      .where('account_id', '=', name.accountId).where('key', '=', name.key).where('request_id', '=', name.requestId).where('finished', '<>', FINISHED)));
  }

  release(command: ReleaseCommand): Promise<void> {
    return this.parts.runner.steps(() => this.giveUp(command));
  }

  sweep(now: Instant, keptUntil: Instant): Promise<number> {
    return this.parts.runner.steps(() => this.removeExpired(now, keptUntil));
  }

  private* takeOrFind(claim: IdempotencyClaim): Script<ClaimOutcome> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const taken = yield* this.take(claim);
      if (taken !== null) return claimed(taken);
      // Reads only the reply's length. The caller reads the reply when there is memory for it.
      const row = yield* firstOf(this.queries.selectFrom('idempotency_keys')
        .select(['request_id', 'first_request_id', 'fingerprint', 'finished', sql<bigint | number | null>`octet_length(reply)`.as('reply_bytes')])
        .where('account_id', '=', claim.accountId).where('key', '=', claim.key));
      if (row !== null) return outcomeOf(claim, row);
    }
    throw new Error('an idempotency key could not be claimed: other requests kept taking and releasing it');
  }

  private* prolongSome({ ownerId, requests, at, expiresAt }: ClaimProlongation): Script<void> {
    const end = endBy(this.clock, { given: at, end: expiresAt });
    yield* changesOf(this.queries.updateTable('idempotency_keys').set({ expires_at: end })
      .where('request_id', 'in', requests).where('owner_id', '=', ownerId).where('finished', '=', RUNNING).where('expires_at', '<', end));
  }

  private* giveUp({ accountId, key, requestId, at, keptUntil }: ReleaseCommand): Script<void> {
    const kept = endBy(this.clock, { given: at, end: keptUntil });
    yield* changesOf(this.queries.updateTable('idempotency_keys')
      .set((row) => ({ finished: VOID, request_id: row.fn.coalesce('first_request_id', 'request_id'), first_request_id: null, expires_at: kept }))
      .where('account_id', '=', accountId).where('key', '=', key).where('request_id', '=', requestId)
      .where('finished', '<>', FINISHED).where('first_request_id', 'is not', null));
    yield* changesOf(this.queries.deleteFrom('idempotency_keys')
      .where('account_id', '=', accountId).where('key', '=', key).where('request_id', '=', requestId).where('finished', '<>', FINISHED));
  }

  private* removeExpired(now: Instant, keptUntil: Instant): Script<number> {
    const forgotten = yield* deleteReplies(this.queries, sql`expires_at <= ${presentBy(this.clock, now)} and finished <> ${RUNNING}`, MAX_SWEEP);
    return forgotten + (yield* this.endOrphans(now, keptUntil)) + (yield* this.removeMachineRequests(now));
  }

  private* removeMachineRequests(now: Instant): Script<number> {
    return yield* changesOf(compilable(this.queries, sql`
      delete from machine_requests where (machine_id, key) in (
        select machine_id, key from machine_requests where expires_at <= ${BigInt(now)} order by expires_at limit ${sql.lit(MAX_SWEEP)})`));
  }

  /** Returns `null` if a request has the key already. One statement decides between concurrent claims. */
  private* take({ accountId, key, requestId, ownerId, fingerprint, at, expiresAt }: IdempotencyClaim): Script<Pick<KeptRow, 'first_request_id'> | null> {
    const present = presentBy(this.clock, at);
    const row = { request_id: requestId, owner_id: ownerId, fingerprint, finished: Number(RUNNING), reply: null, expires_at: endBy(this.clock, { given: at, end: expiresAt }) };
    const predecessor = sql<string | null>`case
      when idempotency_keys.fingerprint = ${fingerprint} and (idempotency_keys.finished = ${RUNNING} or (idempotency_keys.finished = ${VOID} and idempotency_keys.expires_at > ${present}))
      then coalesce(idempotency_keys.first_request_id, idempotency_keys.request_id) end`;
    return yield* firstOf(this.queries.insertInto('idempotency_keys').values({ account_id: accountId, key, ...row })
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet({ ...row, first_request_id: predecessor })
        .where((kept) => kept.or([kept('idempotency_keys.expires_at', '<=', present), kept('idempotency_keys.finished', '=', VOID)])))
      .returning('first_request_id'));
  }

  /**
   * Ends claims of dead processes and claims that exceeded their time. A request that `wasPaidToItsEnd` is finished, without its reply; other claims
   * become void.
   */
  private* endOrphans(now: Instant, keptUntil: Instant): Script<number> {
    const { queries } = this;
    const rows = yield* rowsOf(queries.selectFrom('idempotency_keys').select('request_id')
      .where('finished', '=', RUNNING)
      .where((where) => where.or([where('expires_at', '<=', presentBy(this.clock, now)), where.and([
        where('owner_id', '<>', this.parts.self),
        where.not(where.exists(where.selectFrom('process_leases').select('process_id')
          .whereRef('process_leases.process_id', '=', 'idempotency_keys.owner_id').where('process_leases.expires_at', '>', presentBy(this.clock, now)))),
      ])]))
      .limit(MAX_SWEEP));
    if (rows.length === 0) return 0;
    const orphans = rows.map(({ request_id }) => request_id);
    const kept = endBy(this.clock, { given: now, end: keptUntil });
    yield* changesOf(queries.updateTable('idempotency_keys').set({ finished: FINISHED, expires_at: kept })
      .where('request_id', 'in', orphans).where('finished', '=', RUNNING)
      .where((where) => where.exists(where.selectFrom('usage_records').select('usage_records.request_id')
        .whereRef('usage_records.request_id', '=', 'idempotency_keys.request_id')
        .where((record) => record.or([record('end_reason', 'in', FINISHED_REASONS), record.and([record('end_reason', '<>', SWEPT), record('charge', '>', 0n)])])))));
    yield* changesOf(queries.updateTable('idempotency_keys').set({ finished: VOID, expires_at: kept })
      .where('request_id', 'in', orphans).where('finished', '=', RUNNING));
    return orphans.length;
  }
}
