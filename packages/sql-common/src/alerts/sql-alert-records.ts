import { type AccountEvent, type AccountId, type AuditedBy, type EventId, type EventType, type Instant, later } from '@tollgate/core';
import {
  type Alert, ALERT_PAUSE_MILLISECONDS, type AlertKind, type AlertRecords, type AlertStep, isAlertKind, type MailLanguage, MAX_ALERT_EVENTS, OPTIONAL_ALERT_KINDS, type OptionalAlertKind, type StoredMail,
} from '@tollgate/identity';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { EVENT_COLUMNS, eventFromRow } from '../events/sql-event-log.js';
import { storeMail } from '../identity/store-mail.js';
import { readRow, readRows } from '../script/read-row.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

/** Maximum events read per transaction. */
const EVENTS_PER_STEP = 200;
/** Maximum messages stored per transaction: small, because each requires a count of the waiting messages. */
const MAILS_PER_STEP = 4;

interface AlertSubject {
  readonly accountId: AccountId;
  readonly kind: AlertKind;
}

/** Throws if `waiting` is no list of ids. */
function idsOf(waiting: string | null): readonly EventId[] {
  const ids = waiting === null ? [] : JSON.parse(waiting) as readonly EventId[];
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) throw new SyntaxError('the list of waiting events is unreadable');
  return ids;
}

/** An unreadable list counts as empty, because a failure would hold up the alerts of all accounts. */
function readableIdsOf(waiting: string | null): readonly EventId[] {
  const ids = readRow(() => idsOf(waiting));
  return 'value' in ids ? ids.value : [];
}

export class SqlAlertRecords implements AlertRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async storeMails(compose: (alert: Alert) => StoredMail, at: Instant): Promise<AlertStep> {
    if (!await this.runner.read(() => this.hasWork(at))) return { mails: 0, outcome: 'done', failures: [] };
    return this.runner.write(() => this.step(compose, at));
  }

  disabledKinds(id: AccountId): Promise<readonly OptionalAlertKind[]> {
    return this.runner.read(() => this.disabled(id));
  }

  disable(id: AccountId, kinds: readonly OptionalAlertKind[], by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.change(id, kinds, by));
  }

  private* hasWork(at: Instant): Script<boolean> {
    return (yield* this.following(1)).length > 0 || (yield* this.due(at, 1)).length > 0;
  }

  private* step(compose: (alert: Alert) => StoredMail, at: Instant): Script<AlertStep> {
    const considered = yield* this.collect();
    const due = yield* this.due(at, MAILS_PER_STEP);
    const failures: unknown[] = [];
    let mails = 0;
    for (const { account_id: id, kind, waiting } of due) {
      const made = yield* readRows(this.mailOf({ accountId: id as AccountId, kind: kind as AlertKind }, waiting, compose));
      const mail = 'failure' in made ? null : made.value;
      const stored = mail === null ? null : yield* storeMail(this.queries, mail);
      if (stored === 'full' || stored === 'dropped') return { mails, outcome: 'full', failures };
      const changed = 'failure' in made ? { mailed_at: at } : { waiting: null, ...(mail === null ? {} : { mailed_at: at }) };
      yield* changesOf(this.queries.updateTable('account_alerts').set(changed).where('account_id', '=', id).where('kind', '=', kind));
      if ('failure' in made) failures.push(new Error(`the mail about ${kind} to ${id} could not be made`, { cause: made.failure }));
      if (mail !== null) mails += 1;
    }
    return { mails, outcome: considered === EVENTS_PER_STEP || due.length === MAILS_PER_STEP ? 'more' : 'done', failures };
  }

  /** Returns `null` if no mail is due. */
  private* mailOf(subject: AlertSubject, waiting: string | null, compose: (alert: Alert) => StoredMail): Script<StoredMail | null> {
    const alert = yield* this.alertOf(subject, idsOf(waiting));
    return alert === null ? null : compose(alert);
  }

  private* following(limit: number) {
    const cursor = this.queries.selectFrom('alert_cursor').select('position');
    return yield* rowsOf(this.queries.selectFrom('events').select(['id', 'type', 'account_id', 'position']).where('position', '>', cursor).orderBy('position').limit(limit));
  }

  /**
   * Reads the next events, adds those that are alerts to the next message of their account, or of all operators if they concern no account, and
   * advances the cursor. Returns the number of events.
   */
  private* collect(): Script<number> {
    const events = yield* this.following(EVENTS_PER_STEP);
    const through = events.at(-1)?.position ?? null;
    if (through === null) return 0;
    for (const { id, type, account_id: accountId } of events) {
      const kind = type as EventType;
      if (!isAlertKind(kind)) continue;
      for (const told of accountId === null ? yield* this.operators() : [accountId]) yield* this.keep({ accountId: told as AccountId, kind }, id as EventId);
    }
    yield* changesOf(this.queries.updateTable('alert_cursor').set({ position: through }));
    return events.length;
  }

  /** Accounts of operators. They receive the alerts that concern no account. */
  private* operators(): Script<readonly string[]> {
    const people = yield* rowsOf(this.queries.selectFrom('people').select('account_id').where('role', '=', 'operator').where('account_id', 'is not', null).orderBy('account_id'));
    return people.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
  }

  private* keep({ accountId, kind }: AlertSubject, id: EventId): Script<void> {
    const { queries } = this;
    const row = yield* firstOf(queries.selectFrom('account_alerts').select(['disabled', 'waiting']).where('account_id', '=', accountId).where('kind', '=', kind));
    if (row !== null && row.disabled !== 0n) return;
    const waiting = JSON.stringify([...readableIdsOf(row?.waiting ?? null), id].slice(-MAX_ALERT_EVENTS));
    yield* changesOf(queries.insertInto('account_alerts').values({ account_id: accountId, kind, waiting })
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet({ waiting })));
  }

  private* due(at: Instant, limit: number) {
    return yield* rowsOf(this.queries.selectFrom('account_alerts').select(['account_id', 'kind', 'waiting'])
      .where('waiting', 'is not', null).where('mailed_at', '<=', BigInt(later(at, -ALERT_PAUSE_MILLISECONDS)))
      .orderBy('mailed_at').orderBy('account_id').orderBy('kind').limit(limit));
  }

  /** Returns `null` if the account receives no mail, or if the events have been deleted. */
  private* alertOf({ accountId, kind }: AlertSubject, ids: readonly EventId[]): Script<Alert | null> {
    const { queries } = this;
    const account = yield* firstOf(queries.selectFrom('accounts').leftJoin('people', 'people.account_id', 'accounts.id').select(['accounts.email', 'people.language']).where('accounts.id', '=', accountId)
      .where('accounts.status', '=', 'active').where('accounts.blocked', '=', 0n).where('accounts.email_verified', '=', 1n));
    if (account === null || ids.length === 0) return null;
    const events = (yield* rowsOf(queries.selectFrom('events').select(EVENT_COLUMNS).where('id', 'in', ids).orderBy('seq'))).map(eventFromRow);
    return events.length === 0 ? null : { kind, accountId, to: account.email, language: account.language as MailLanguage | null, events, keyNames: yield* this.keyNames(events), webhookUrls: yield* this.webhookUrls(events), paymentUrls: yield* this.paymentUrls(events) };
  }

  private* keyNames(events: readonly AccountEvent[]): Script<ReadonlyMap<string, string>> {
    const ids = events.flatMap(({ data: { key_id: id } }) => (typeof id === 'string' ? [id] : []));
    if (ids.length === 0) return new Map();
    const keys = yield* rowsOf(this.queries.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', ids));
    return new Map(keys.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
  }

  private* webhookUrls(events: readonly AccountEvent[]): Script<ReadonlyMap<string, string>> {
    const ids = events.flatMap(({ data: { webhook_id: id } }) => (typeof id === 'string' ? [id] : []));
    if (ids.length === 0) return new Map();
    const webhooks = yield* rowsOf(this.queries.selectFrom('webhook_endpoints').select(['id', 'url']).where('id', 'in', ids).where('deleted_at', 'is', null));
    return new Map(webhooks.map(({ id, url }) => [id, url]));
  }

  private* paymentUrls(events: readonly AccountEvent[]): Script<ReadonlyMap<string, string>> {
    const ids = events.flatMap(({ data: { payment_id: id } }) => (typeof id === 'string' ? [id] : []));
    if (ids.length === 0) return new Map();
    const open = yield* rowsOf(this.queries.selectFrom('payments').select(['id', 'url']).where('id', 'in', ids).where('state', '=', 'open'));
    return new Map(open.flatMap(({ id, url }) => (url === null ? [] : [[id, url] as const])));
  }

  private* disabled(id: AccountId): Script<readonly OptionalAlertKind[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('account_alerts').select('kind').where('account_id', '=', id).where('disabled', '=', 1n));
    return OPTIONAL_ALERT_KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  }

  private* change(id: AccountId, kinds: readonly OptionalAlertKind[], by: AuditedBy): Script<boolean> {
    const { queries } = this;
    const account = yield* firstOf(queries.selectFrom('accounts').select('id').where('id', '=', id).where('status', '<>', 'deleted'));
    if (account === null) return false;
    const before = yield* this.disabled(id);
    const changed = OPTIONAL_ALERT_KINDS.filter((kind) => kinds.includes(kind) !== before.includes(kind));
    if (changed.length === 0) return true;
    for (const kind of changed) {
      const columns = { disabled: kinds.includes(kind) ? 1n : 0n, waiting: null };
      yield* changesOf(queries.insertInto('account_alerts').values({ account_id: id, kind, ...columns })
        .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(columns)));
    }
    const disabledAlerts = OPTIONAL_ALERT_KINDS.filter((kind) => kinds.includes(kind));
    yield* appendAuditEntry(queries, { ...by, action: 'account.changed', subject: id, accountId: id, details: { disabledAlerts } });
    return true;
  }
}
