import { type AccountId, type EventId, instant, type Instant, type JsonObject, SYSTEM_ACTOR, type WebhookDisabledReason, type WebhookEvent, type WebhookEventType, type WebhookId } from '@tollgate/core';
import {
  type DueDelivery, MAX_OPERATOR_WEBHOOKS, MAX_OWNER_WEBHOOKS, type SealedWebhookSecrets, type WebhookClaim, type WebhookQueue, type WebhookResult, type WebhookTurn,
} from '@tollgate/identity';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import type { WebhookEndpointTable } from '../schema/webhook-tables.js';
import { endBy, type LeaseClock, presentBy } from '../script/lease-clock.js';
import { type ReadRow, readRow, valueOf } from '../script/read-row.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, type Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { WEBHOOK_COLUMNS, webhookFromRow } from './webhook-rows.js';

/** Maximum deliveries that one step queues. */
const DELIVERIES_PER_STEP = 1_250;
/** Maximum events that one step queues, each for all webhooks of operators and all of its account. */
const SPREAD_PER_STEP = Math.floor(DELIVERIES_PER_STEP / (MAX_OPERATOR_WEBHOOKS + MAX_OWNER_WEBHOOKS));
/** Maximum events that one step of a resend examines for one webhook. */
const RESENT_PER_STEP = 500;
const PRUNED_PER_STEP = 500;

interface DueRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly account_id: string | null;
  readonly account_sequence: bigint | null;
  readonly attempts: bigint;
  readonly created_at: bigint;
  readonly external_id: string | null;
  readonly occurred_at: bigint | null;
  readonly data: string | null;
}

function eventFromRow(row: DueRow): WebhookEvent | null {
  const isTest = row.event_type === 'webhook.test';
  return row.data === null && !isTest ? null : {
    id: row.event_id as EventId, type: row.event_type as WebhookEventType, accountId: row.account_id as AccountId | null, externalId: row.external_id,
    accountSequence: row.account_sequence === null ? null : Number(row.account_sequence), at: instant(Number(row.occurred_at ?? row.created_at)),
    data: row.data === null ? {} : JSON.parse(row.data) as JsonObject,
  };
}

/** An unreadable event does not hold up the events after it. */
function dueFromRow(row: DueRow): DueDelivery {
  const read = readRow(() => eventFromRow(row));
  const isUnreadable = 'failure' in read;
  return { event: isUnreadable ? null : read.value, isUnreadable, eventId: row.event_id, attempts: Number(row.attempts) };
}

type TurnRow = Parameters<typeof webhookFromRow>[0] & Pick<Selectable<WebhookEndpointTable>, 'turns' | 'secret' | 'previous_secret'>;

function turnFromRow(row: TurnRow, at: Instant): WebhookTurn {
  const webhook = webhookFromRow(row);
  const isOverlap = webhook.previousSecretExpiresAt !== null && webhook.previousSecretExpiresAt > at;
  return { webhook, number: Number(row.turns), sealedSecret: row.secret, sealedPreviousSecret: isOverlap ? row.previous_secret : null };
}

export class SqlWebhookQueue implements WebhookQueue {
  constructor(private readonly queries: Queries, private readonly runner: StepRunner & ScriptRunner, private readonly clock: LeaseClock) {}

  async spread(at: Instant): Promise<number> {
    const isBehind = await this.runner.read(() => this.isBehind());
    const spread = isBehind ? await this.runner.steps(() => this.spreadNext(at)) : 0;
    const isResending = await this.runner.read(() => this.isResending());
    return spread + (isResending ? await this.runner.write(() => this.resendNext(at)) : 0);
  }

  /** Starts no writing transaction if no webhook is due. */
  async claim(claim: WebhookClaim): Promise<WebhookTurn | null> {
    if (await this.runner.read(() => firstOf(this.nextDue(claim))) === null) return null;
    const claimed = await this.runner.write(() => this.claimNext(claim));
    return claimed === null ? null : valueOf(claimed);
  }

  async due(id: WebhookId, at: Instant, limit: number): Promise<readonly DueDelivery[]> {
    const rows = await this.runner.read(() => rowsOf(this.queries.selectFrom('webhook_deliveries as d').innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
      .leftJoin('events as e', 'e.id', 'd.event_id').where('w.disabled_at', 'is', null).where('w.deleted_at', 'is', null)
      .select(['d.event_id', 'd.event_type', 'd.account_id', 'd.account_sequence', 'd.attempts', 'd.created_at', 'e.external_id', 'e.occurred_at', 'e.data'])
      .where('d.endpoint_id', '=', id).where('d.state', '=', sql.lit('waiting')).where('d.next_at', '<=', presentBy(this.clock, at))
      .orderBy('d.next_at').orderBy('d.position').limit(limit)));
    return rows.map(dueFromRow);
  }

  async record(turn: WebhookTurn, result: WebhookResult): Promise<void> {
    await this.runner.steps(() => this.recordOne(turn, result));
  }

  async finish(turn: WebhookTurn, at: Instant, pauseUntil: Instant): Promise<void> {
    await this.runner.write(() => this.endTurn(turn, at, pauseUntil));
  }

  async reseal({ webhook: { id }, sealedSecret: before }: WebhookTurn, { sealedSecret, sealedPreviousSecret }: SealedWebhookSecrets): Promise<void> {
    const previous = sealedPreviousSecret === null ? {} : { previous_secret: sealedPreviousSecret };
    await this.runner.steps(() => changesOf(this.queries.updateTable('webhook_endpoints').set({ secret: sealedSecret, ...previous }).where('id', '=', id).where('secret', '=', before)));
  }

  disable(turn: WebhookTurn, reason: WebhookDisabledReason, at: Instant): Promise<boolean> {
    return this.runner.write(() => this.stop(turn, reason, at));
  }

  prune(before: Instant): Promise<number> {
    return this.runner.steps(() => this.pruneSome(before));
  }

  private* isBehind(): Script<boolean> {
    const { queries } = this;
    return (yield* firstOf(queries.selectFrom('webhook_feed').select('position').where('position', '<', queries.selectFrom('event_feed').select('last_position')))) !== null;
  }

  /** Queues the next events for all webhooks. Steps may be repeated, because an event that is queued already stays unchanged. */
  private* spreadNext(at: Instant): Script<number> {
    const { queries } = this;
    const after = (yield* firstOf(queries.selectFrom('webhook_feed').select('position')))?.position ?? 0n;
    const events = yield* rowsOf(queries.selectFrom('events').select(['position', 'account_id']).where('position', '>', after).orderBy('position').limit(SPREAD_PER_STEP));
    const through = events.at(-1)?.position ?? null;
    if (through === null) return 0;
    const range = sql`v.position > ${after} and v.position <= ${through}`;
    for (const join of [sql`e.account_id is null`, sql`e.account_id = v.account_id`]) {
      yield* changesOf(this.queueing({ at, join, where: sql`${range} and v.occurred_at >= e.created_at`, conflict: sql`do nothing` }));
    }
    const accounts = [...new Set(events.flatMap(({ account_id: account }) => (account === null ? [] : [account])))];
    yield* changesOf(queries.updateTable('webhook_endpoints').set({ due_at: presentBy(this.clock, at) }).where('disabled_at', 'is', null).where('deleted_at', 'is', null)
      .where((webhook) => webhook.or([webhook('account_id', 'is', null), ...(accounts.length === 0 ? [] : [webhook('account_id', 'in', accounts)])]))
      .where((webhook) => webhook.or([webhook('due_at', 'is', null), webhook('due_at', '>', presentBy(this.clock, at))])));
    yield* changesOf(queries.updateTable('webhook_feed').set({ position: through }).where('position', '=', after));
    return events.length;
  }

  private queueing({ at, join, where, conflict }: { readonly at: Instant; readonly join: RawBuilder<unknown>; readonly where: RawBuilder<unknown>; readonly conflict: RawBuilder<unknown> }) {
    return compilable(this.queries, sql`
      insert into webhook_deliveries (endpoint_id, event_id, event_type, account_id, account_sequence, position, state, attempts, next_at, created_at)
      select e.id, v.id, v.type, v.account_id, v.account_sequence, v.position, 'waiting', 0, 0, cast(${BigInt(at)} as bigint)
      from events v join webhook_endpoints e on ${join}
      where ${where} and e.disabled_at is null and e.deleted_at is null and (e.types is null or e.types like '%"' || v.type || '"%')
      on conflict (endpoint_id, event_id) ${conflict}`);
  }

  private* isResending(): Script<boolean> {
    return (yield* firstOf(this.queries.selectFrom('webhook_endpoints').select('id').where('resend_after', 'is not', null).where('disabled_at', 'is', null).limit(1))) !== null;
  }

  /** Queues the next events of a resend. They are in the order of the feed, or, for an owner's webhook, of the account. */
  private* resendNext(at: Instant): Script<number> {
    const { queries } = this;
    const next = yield* firstOf(queries.selectFrom('webhook_endpoints').select(['id', 'account_id', 'resend_after', 'resend_since'])
      .where('resend_after', 'is not', null).where('disabled_at', 'is', null).orderBy('id').limit(1));
    if (next === null || next.resend_after === null || next.resend_since === null) return 0;
    const { id, account_id: account } = next;
    const order = account === null ? 'position' : 'account_sequence';
    const events = queries.selectFrom('events').select(order).where(order, '>', next.resend_after).where('position', 'is not', null).orderBy(order);
    const rows = yield* rowsOf((account === null ? events : events.where('account_id', '=', account)).limit(RESENT_PER_STEP));
    const through = rows.at(-1)?.[order] ?? null;
    if (through !== null) {
      const column = sql.ref(`v.${order}`);
      const ofAccount = account === null ? sql`` : sql` and v.account_id = ${account}`;
      yield* changesOf(this.queueing({
        at, join: sql`e.id = ${id}`, where: sql`${column} > ${next.resend_after} and ${column} <= ${through} and v.position is not null${ofAccount} and v.occurred_at >= ${next.resend_since}`,
        conflict: sql`do update set state = 'waiting', attempts = 0, next_at = 0 where webhook_deliveries.state = 'failed'`,
      }));
    }
    const isLast = rows.length < RESENT_PER_STEP;
    yield* changesOf(queries.updateTable('webhook_endpoints').set({ due_at: presentBy(this.clock, at), resend_after: isLast ? null : through, ...(isLast ? { resend_since: null } : {}) })
      .where('id', '=', id));
    return rows.length;
  }

  private nextDue({ at, of }: WebhookClaim) {
    const present = presentBy(this.clock, at);
    return this.queries.selectFrom('webhook_endpoints').select('id').where('due_at', '<=', present).where('disabled_at', 'is', null)
      .where('account_id', of === 'owners' ? 'is not' : 'is', null)
      .where((webhook) => webhook.or([webhook('leased_until', 'is', null), webhook('leased_until', '<=', present)])).orderBy('due_at').orderBy('id').limit(1);
  }

  private* claimNext(claim: WebhookClaim): Script<ReadRow<WebhookTurn> | null> {
    const { queries, clock } = this;
    const { at, leaseExpiresAt } = claim;
    const row = yield* firstOf(queries.updateTable('webhook_endpoints')
      .set((webhook) => ({ leased_until: endBy(clock, { given: at, end: leaseExpiresAt }), turns: webhook('turns', '+', 1n) }))
      .where('id', 'in', this.nextDue(claim)).returning(WEBHOOK_COLUMNS).returning(['turns', 'secret', 'previous_secret']));
    return row === null ? null : readRow(() => turnFromRow(row, at));
  }

  private* recordOne({ webhook: { id }, number }: WebhookTurn, { delivery, attempt, nextAttemptAt }: WebhookResult): Script<void> {
    const { queries } = this;
    const inForce = queries.selectFrom('webhook_endpoints').select('id').where('id', '=', id).where('turns', '=', BigInt(number));
    const isSuccess = attempt.failure === null;
    const ended = isSuccess ? 'delivered' : 'failed';
    const next = nextAttemptAt === null ? {} : { next_at: endBy(this.clock, { given: attempt.at, end: nextAttemptAt }) };
    yield* changesOf(queries.updateTable('webhook_deliveries').set({
      state: nextAttemptAt === null ? ended : 'waiting', attempts: delivery.attempts + 1, last_at: attempt.at, last_milliseconds: attempt.milliseconds, last_status: attempt.status,
      last_answer: storableTextOrNull(attempt.answer), last_failure: storableTextOrNull(attempt.failure), ...next,
    }).where('endpoint_id', 'in', inForce).where('event_id', '=', delivery.eventId).where('attempts', '=', BigInt(delivery.attempts)).where('state', '=', 'waiting'));
    if (delivery.event === null) return;
    const webhook = queries.updateTable('webhook_endpoints').where('id', '=', id).where('turns', '=', BigInt(number));
    yield* changesOf(isSuccess
      ? webhook.set({ failing_since: null }).where('failing_since', 'is not', null)
      : webhook.set({ failing_since: attempt.at }).where('failing_since', 'is', null));
  }

  private* endTurn({ webhook: { id }, number }: WebhookTurn, at: Instant, pauseUntil: Instant): Script<void> {
    const { queries, clock } = this;
    const next = (yield* firstOf(queries.selectFrom('webhook_deliveries').select('next_at').where('endpoint_id', '=', id).where('state', '=', sql.lit('waiting'))
      .orderBy('next_at').limit(1)))?.next_at ?? null;
    // If the next delivery is overdue, the webhook is due now, so that its turn is after those of webhooks that are due already.
    const dueAt = next === null ? null : sql<bigint>`case when cast(${next} as bigint) > cast(${presentBy(clock, at)} as bigint) then cast(${next} as bigint) else cast(${presentBy(clock, at)} as bigint) end`;
    const ended = queries.updateTable('webhook_endpoints').where('id', '=', id).where('turns', '=', BigInt(number));
    yield* changesOf(ended.set({ leased_until: endBy(clock, { given: at, end: pauseUntil }) }));
    yield* changesOf(ended.set({ due_at: dueAt }).where('disabled_at', 'is', null).where('deleted_at', 'is', null));
  }

  private* stop({ webhook: { id }, number }: WebhookTurn, reason: WebhookDisabledReason, at: Instant): Script<boolean> {
    const row = yield* firstOf(this.queries.updateTable('webhook_endpoints').set({ disabled_at: at, disabled_reason: reason, due_at: null }).where('id', '=', id)
      .where('turns', '=', BigInt(number)).where('disabled_at', 'is', null).where('deleted_at', 'is', null).returning('account_id'));
    if (row === null) return false;
    yield* appendAuditEntry(this.queries, { actor: SYSTEM_ACTOR, at, action: 'webhook.disabled', subject: id, accountId: row.account_id as AccountId | null, details: { reason } });
    return true;
  }

  private* pruneSome(before: Instant): Script<number> {
    const { queries } = this;
    const deleted = yield* firstOf(queries.selectFrom('webhook_endpoints').select('id').where('deleted_at', 'is not', null).limit(1));
    const which = deleted === null ? sql`created_at < ${BigInt(before)}` : sql`endpoint_id = ${deleted.id}`;
    const pruned = yield* changesOf(compilable(queries, sql`
      delete from webhook_deliveries where (endpoint_id, event_id) in (select endpoint_id, event_id from webhook_deliveries where ${which} limit ${sql.lit(PRUNED_PER_STEP)})`));
    if (deleted === null || pruned === PRUNED_PER_STEP) return pruned;
    return pruned + (yield* changesOf(queries.deleteFrom('webhook_endpoints').where('id', '=', deleted.id)));
  }
}
