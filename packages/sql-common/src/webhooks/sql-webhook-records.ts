import { type AuditedAct, type AuditedBy, type EventId, type Instant, type Webhook, type WebhookOwner } from '@tollgate/core';
import type { WebhookChange, WebhookCreation, WebhookDeliveryPage, WebhookName, WebhookRecords, WebhookResend, WebhookRotation } from '@tollgate/identity';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { eventId } from '../events/append-event.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { DELIVERY_COLUMNS, deliveryFromRow, WEBHOOK_COLUMNS, webhookFromRow } from './webhook-rows.js';

const DELIVERY_CURSOR = /^(\d{1,15}) (evt_[0-9a-f]{32})$/;

type WebhookAction = `webhook.${'created' | 'changed' | 'rotated' | 'deleted' | 'tested' | 'resent'}`;
type DeliveriesQuery = Parameters<WebhookRecords['deliveries']>[1];

function typesToColumn(types: Webhook['types']): string | null {
  return types === null ? null : JSON.stringify(types);
}

/** Writing scripts run one after another, so no count can change between their reads and their writes. */
export class SqlWebhookRecords implements WebhookRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  create(creation: WebhookCreation, by: AuditedBy): Promise<'created' | 'too-many'> {
    return this.runner.write(() => this.insert(creation, by));
  }

  async list(owner: WebhookOwner): Promise<readonly Webhook[]> {
    const newest = this.of(owner).orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (await this.runner.read(() => rowsOf(newest))).map(webhookFromRow);
  }

  find(name: WebhookName): Promise<Webhook | null> {
    return this.runner.read(() => this.named(name));
  }

  change(name: WebhookName, change: WebhookChange, by: AuditedBy): Promise<Webhook | null> {
    return this.runner.write(() => this.update(name, change, by));
  }

  rotate(name: WebhookName, rotation: WebhookRotation, by: AuditedBy): Promise<Webhook | null> {
    return this.runner.write(() => this.replaceSecret(name, rotation, by));
  }

  delete(name: WebhookName, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.remove(name, by));
  }

  test(name: WebhookName, by: AuditedBy): Promise<EventId | null> {
    return this.runner.write(() => this.queueTest(name, by));
  }

  resend(name: WebhookName, resend: WebhookResend, by: AuditedBy): ReturnType<WebhookRecords['resend']> {
    return this.runner.write(() => this.sendAgain(name, resend, by));
  }

  deliveries(name: WebhookName, page: DeliveriesQuery): Promise<WebhookDeliveryPage | null> {
    return this.runner.read(() => this.page(name, page));
  }

  private of(owner: WebhookOwner) {
    const webhooks = this.queries.selectFrom('webhook_endpoints').select(WEBHOOK_COLUMNS).where('deleted_at', 'is', null);
    return owner === null ? webhooks.where('account_id', 'is', null) : webhooks.where('account_id', '=', owner);
  }

  private* named({ owner, id }: WebhookName): Script<Webhook | null> {
    const row = yield* firstOf(this.of(owner).where('id', '=', id));
    return row === null ? null : webhookFromRow(row);
  }

  private* insert({ webhook, sealedSecret, maximum }: WebhookCreation, by: AuditedBy): Script<'created' | 'too-many'> {
    if ((yield* rowsOf(this.of(webhook.owner))).length >= maximum) return 'too-many';
    const { id, owner, url, types, description, createdAt } = webhook;
    yield* changesOf(this.queries.insertInto('webhook_endpoints').values({
      id, account_id: owner, url: storableText(url), types: typesToColumn(types), description: storableText(description), secret: sealedSecret, previous_secret: null,
      previous_expires_at: null, created_at: createdAt, disabled_at: null, disabled_reason: null, failing_since: null, deleted_at: null, due_at: null, leased_until: null,
      resend_after: null, resend_since: null,
    }));
    yield* this.audit('webhook.created', webhook, { ...by, details: { types }, texts: { url, description } });
    return 'created';
  }

  private* update(name: WebhookName, { url, types, description, active }: WebhookChange, by: AuditedBy): Script<Webhook | null> {
    const before = yield* this.named(name);
    if (before === null) return null;
    const isToggled = active !== undefined && active === (before.disabled !== null);
    const toggled = active === true ? { disabled_at: null, disabled_reason: null, failing_since: null, due_at: by.at } : { disabled_at: by.at, disabled_reason: 'requested', due_at: null };
    const changed = {
      ...(url === undefined ? {} : { url: storableText(url) }), ...(types === undefined ? {} : { types: typesToColumn(types) }),
      ...(description === undefined ? {} : { description: storableText(description) }), ...(isToggled ? toggled : {}),
    };
    if (Object.keys(changed).length === 0) return before;
    yield* changesOf(this.queries.updateTable('webhook_endpoints').set(changed).where('id', '=', name.id));
    const details = { ...(types === undefined ? {} : { types }), ...(isToggled ? { active } : {}) };
    yield* this.audit('webhook.changed', before, { ...by, details, texts: { url: url ?? null, description: description ?? null } });
    return yield* this.named(name);
  }

  private* replaceSecret(name: WebhookName, { sealedSecret, previousExpiresAt }: WebhookRotation, by: AuditedBy): Script<Webhook | null> {
    const before = yield* this.named(name);
    if (before === null) return null;
    yield* changesOf(this.queries.updateTable('webhook_endpoints')
      .set({ secret: sealedSecret, previous_secret: sql<string>`secret`, previous_expires_at: previousExpiresAt }).where('id', '=', name.id));
    yield* this.audit('webhook.rotated', before, { ...by, details: { previousExpiresAt } });
    return yield* this.named(name);
  }

  private* remove(name: WebhookName, by: AuditedBy): Script<boolean> {
    const before = yield* this.named(name);
    if (before === null) return false;
    yield* removeWebhooks(this.queries, by.at, { id: name.id });
    yield* this.audit('webhook.deleted', before, { ...by, details: {} });
    return true;
  }

  private* queueTest(name: WebhookName, by: AuditedBy): Script<EventId | null> {
    const webhook = yield* this.named(name);
    if (webhook === null || webhook.disabled !== null) return null;
    const id = eventId();
    yield* changesOf(this.queries.insertInto('webhook_deliveries').values({
      endpoint_id: webhook.id, event_id: id, event_type: 'webhook.test', account_id: webhook.owner, account_sequence: null, position: 0n, state: 'waiting', attempts: 0n, next_at: 0n,
      created_at: by.at, last_at: null, last_milliseconds: null, last_status: null, last_answer: null, last_failure: null,
    }));
    yield* this.makeDue(webhook.id, by.at);
    yield* this.audit('webhook.tested', webhook, { ...by, details: { eventId: id } });
    return id;
  }

  private* sendAgain(name: WebhookName, resend: WebhookResend, by: AuditedBy): Script<'queued' | 'no-such-webhook' | 'no-such-event'> {
    const webhook = yield* this.named(name);
    if (webhook === null) return 'no-such-webhook';
    if ('eventId' in resend && !(yield* this.queueEvent(webhook, resend.eventId, by.at))) return 'no-such-event';
    if (webhook.disabled !== null) yield* this.update(name, { active: true }, by);
    if ('since' in resend) {
      yield* changesOf(this.queries.updateTable('webhook_endpoints').set({ resend_after: 0n, resend_since: resend.since }).where('id', '=', webhook.id));
    }
    yield* this.makeDue(webhook.id, by.at);
    yield* this.audit('webhook.resent', webhook, { ...by, details: { ...resend } });
    return 'queued';
  }

  /** Queues an event. A test event that was sent before is sent again. */
  private* queueEvent({ id, owner }: Webhook, event: EventId, at: Instant): Script<boolean> {
    const again = { state: 'waiting', attempts: 0n, next_at: 0n };
    const requeued = yield* changesOf(this.queries.updateTable('webhook_deliveries').set(again).where('endpoint_id', '=', id).where('event_id', '=', event));
    if (requeued > 0) return true;
    const ofOwner = owner === null ? sql`` : sql` and account_id = ${owner}`;
    return (yield* changesOf(compilable(this.queries, sql`
      insert into webhook_deliveries (endpoint_id, event_id, event_type, account_id, account_sequence, position, state, attempts, next_at, created_at)
      select cast(${id} as text), id, type, account_id, account_sequence, position, 'waiting', 0, 0, cast(${BigInt(at)} as bigint)
      from events where id = ${event} and position is not null${ofOwner}`))) > 0;
  }

  private* makeDue(id: string, at: Instant): Script<void> {
    yield* changesOf(this.queries.updateTable('webhook_endpoints').set({ due_at: at }).where('id', '=', id)
      .where((webhook) => webhook.or([webhook('due_at', 'is', null), webhook('due_at', '>', BigInt(at))])));
  }

  private* page(name: WebhookName, { limit, after }: DeliveriesQuery): Script<WebhookDeliveryPage | null> {
    const [, createdAt = null, event = null] = DELIVERY_CURSOR.exec(Buffer.from(after ?? '', 'base64url').toString('latin1')) ?? [];
    if ((after !== null && createdAt === null) || (yield* this.named(name)) === null) return null;
    const newest = this.queries.selectFrom('webhook_deliveries').select(DELIVERY_COLUMNS).where('endpoint_id', '=', name.id)
      .orderBy('created_at', 'desc').orderBy('event_id', 'desc').limit(limit + 1);
    const rows = yield* rowsOf(createdAt === null || event === null ? newest : newest.where((row) => row(row.refTuple('created_at', 'event_id'), '<', row.tuple(BigInt(createdAt), event))));
    const last = rows.length > limit ? rows[limit - 1] ?? null : null;
    return {
      deliveries: rows.slice(0, limit).map(deliveryFromRow),
      next: last === null ? null : Buffer.from(`${last.created_at} ${last.event_id}`, 'latin1').toString('base64url'),
    };
  }

  private audit(action: WebhookAction, { id, owner }: Webhook, facts: Pick<AuditedAct, 'actor' | 'at' | 'details' | 'texts'>): Script<void> {
    return appendAuditEntry(this.queries, { ...facts, action, subject: id, accountId: owner });
  }
}

/** Erases the URL, description and secrets of webhooks. Their rows are deleted after their deliveries. */
export function* removeWebhooks(queries: Queries, at: Instant, of: { readonly id: string } | { readonly accountId: string }): Script<void> {
  const removed = queries.updateTable('webhook_endpoints').set({
    deleted_at: at, url: '', description: '', secret: '', previous_secret: null, due_at: null, resend_after: null, resend_since: null,
  }).where('deleted_at', 'is', null);
  yield* changesOf('id' in of ? removed.where('id', '=', of.id) : removed.where('account_id', '=', of.accountId));
}
