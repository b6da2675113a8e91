import {
  type AccountId, type AuditedBy, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, formatNetwork, type IncidentLimit,
  type Maintenance, type ModelSlug, type NetworkBlocking, type OperatorControls, parseNetwork,
  type RecordedIncidentLimit,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { accountOfKey } from '../keys/playground-keys.js';
import { BLOCK_COLUMNS, INCIDENT_LIMIT_COLUMNS } from '../schema/column-lists.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { blockFromRow, blockTargetFromRow, deleteBlock, insertBlock } from '../platform/blocks.js';
import { incidentLimitToRow, MAINTENANCE_SETTING, maintenanceFromSetting, maintenanceToSetting, recordedLimitFromRow } from '../platform/platform-rows.js';

/** Maximum blocks ended per transaction. */
const ENDED_AT_ONCE = 50;

export class SqlOperatorControls implements OperatorControls {
  /** @param clock decides which blocks have ended. */
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly clock: LeaseClock) {}

  setMaintenance(maintenance: Maintenance | null, by: AuditedBy): Promise<void> {
    return this.runner.write(() => (maintenance === null ? this.endMaintenance(by) : this.replaceMaintenance(maintenance, by)));
  }

  listBlocks(query: BlockListQuery): Promise<readonly Block[]> {
    return this.runner.read(() => this.readBlocks(query));
  }

  async findBlock({ kind, subject }: BlockTarget): Promise<Block | null> {
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('blocks').select(BLOCK_COLUMNS).where('kind', '=', kind).where('subject', '=', subject)));
    return row === null ? null : blockFromRow(row);
  }

  async blockNetwork(network: string, terms: BlockTerms, by: AuditedBy): Promise<NetworkBlocking> {
    const range = parseNetwork(network);
    if (range === null) return { outcome: 'malformed' };
    const name = formatNetwork(range);
    return { outcome: await this.runner.write(() => this.insertNetwork(name, terms, by)), network: name };
  }

  async unblockNetwork(network: string, by: AuditedBy): Promise<'unblocked' | 'not-blocked' | 'malformed'> {
    const range = parseNetwork(network);
    return range === null ? 'malformed' : this.runner.write(() => this.deleteNetwork(formatNetwork(range), by));
  }

  endExpiredBlocks(by: AuditedBy): Promise<number> {
    return this.runner.write(() => this.endBlocks(by));
  }

  async listIncidentLimits(): Promise<readonly RecordedIncidentLimit[]> {
    const limits = this.queries.selectFrom('incident_limits').select(INCIDENT_LIMIT_COLUMNS).orderBy('model');
    return (await this.runner.read(() => rowsOf(limits))).map(recordedLimitFromRow);
  }

  setIncidentLimit(limit: IncidentLimit, by: AuditedBy): Promise<void> {
    return this.runner.write(() => this.replaceLimit(limit, by));
  }

  clearIncidentLimit(model: ModelSlug, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.deleteLimit(model, by));
  }

  private* readBlocks({ limit, after, now }: BlockListQuery): Script<readonly Block[]> {
    const newest = this.queries.selectFrom('blocks').select(BLOCK_COLUMNS)
      .where((block) => block.or([block('expires_at', 'is', null), block('expires_at', '>', BigInt(now))]))
      .orderBy('blocked_at', 'desc').orderBy('kind', 'desc').orderBy('subject', 'desc').limit(limit);
    const rows = yield* rowsOf(after === null ? newest : newest.where((block) => block(
      block.refTuple('blocked_at', 'kind', 'subject'), '<',
      block.tuple(BigInt(after.blockedAt), after.target.kind as string, after.target.subject),
    )));
    return rows.map(blockFromRow);
  }

  private* endMaintenance(by: AuditedBy): Script<void> {
    const ended = yield* changesOf(this.queries.deleteFrom('platform_settings').where('name', '=', MAINTENANCE_SETTING));
    if (ended === 0) return;
    yield* appendAuditEntry(this.queries, { ...by, action: 'platform.maintenance-off', subject: 'platform', accountId: null, details: {} });
  }

  private* replaceMaintenance({ startsAt, endsAt, message }: Maintenance, by: AuditedBy): Script<void> {
    const set = { startsAt, endsAt, message: storableTextOrNull(message) };
    const stored = yield* firstOf(this.queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
    if (stored !== null && isSame(maintenanceFromSetting(stored.value), set)) return;
    const value = maintenanceToSetting({ ...set, setBy: storableText(by.actor.id), setAt: by.at });
    yield* changesOf(this.queries.insertInto('platform_settings').values({ name: MAINTENANCE_SETTING, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })));
    yield* appendAuditEntry(this.queries, { ...by, action: 'platform.maintenance-on', subject: 'platform', accountId: null, details: set });
  }

  private* insertNetwork(subject: string, terms: BlockTerms, by: AuditedBy): Script<'blocked' | 'blocked-already'> {
    const isInserted = yield* insertBlock(this.queries, { kind: 'network', subject }, { ...by, ...terms });
    if (!isInserted) return 'blocked-already';
    const { reason, expiresAt } = terms;
    yield* appendAuditEntry(this.queries, { ...by, action: 'network.blocked', subject, accountId: null, details: { expiresAt }, texts: { reason } });
    return 'blocked';
  }

  private* deleteNetwork(subject: string, by: AuditedBy): Script<'unblocked' | 'not-blocked'> {
    if (!(yield* deleteBlock(this.queries, { kind: 'network', subject }))) return 'not-blocked';
    yield* appendAuditEntry(this.queries, { ...by, action: 'network.unblocked', subject, accountId: null, details: {} });
    return 'unblocked';
  }

  private* endBlocks(by: AuditedBy): Script<number> {
    const rows = yield* rowsOf(this.queries.selectFrom('blocks').select(['kind', 'subject'])
      .where('expires_at', '<=', presentBy(this.clock, by.at)).orderBy('expires_at').limit(ENDED_AT_ONCE));
    const ended = rows.map(blockTargetFromRow);
    // Locks accounts in the order of their ids, as settlements do, because the event of each block locks its account.
    yield* this.lockAccounts(ended);
    for (const target of ended) {
      const { kind, subject } = target;
      yield* deleteBlock(this.queries, target);
      if (kind === 'account') yield* changesOf(this.queries.updateTable('accounts').set({ blocked: 0, updated_at: by.at }).where('id', '=', subject));
      const keys = kind === 'key' ? yield* changesOf(this.queries.updateTable('api_keys').set({ blocked: 0, updated_at: by.at }).where('id', '=', subject)) : 1;
      const accountId = yield* this.accountOf(target);
      yield* appendAuditEntry(this.queries, { ...by, action: `${kind}.unblocked`, subject, accountId, details: { expired: true, ...(keys === 0 ? { playground: true } : {}) } });
    }
    return ended.length;
  }

  private* lockAccounts(targets: readonly BlockTarget[]): Script<void> {
    const ids: AccountId[] = [];
    for (const target of targets) {
      const id = yield* this.accountOf(target);
      if (id !== null) ids.push(id);
    }
    if (ids.length > 0) yield* rowsOf(locking(this.queries, this.queries.selectFrom('accounts').select('id').where('id', 'in', ids).orderBy('id')));
  }

  private* accountOf({ kind, subject }: BlockTarget): Script<AccountId | null> {
    if (kind === 'key') return yield* accountOfKey(this.queries, subject);
    return kind === 'account' ? subject : null;
  }

  private* replaceLimit(limit: IncidentLimit, by: AuditedBy): Script<void> {
    const { model, ...limits } = incidentLimitToRow(limit, storableText(by.actor.id));
    yield* changesOf(this.queries.insertInto('incident_limits').values({ model, ...limits })
      .onConflict((conflict) => conflict.column('model').doUpdateSet(limits)));
    yield* appendAuditEntry(this.queries, { ...by, action: 'incident-limit.set', subject: model, accountId: null, details: { ...limit } });
  }

  private* deleteLimit(model: ModelSlug, by: AuditedBy): Script<boolean> {
    const deleted = yield* changesOf(this.queries.deleteFrom('incident_limits').where('model', '=', storableText(model)));
    if (deleted === 0) return false;
    yield* appendAuditEntry(this.queries, { ...by, action: 'incident-limit.cleared', subject: model, accountId: null, details: {} });
    return true;
  }
}

function isSame(first: Maintenance, second: Maintenance): boolean {
  return first.startsAt === second.startsAt && first.endsAt === second.endsAt && first.message === second.message;
}
