import type { IncidentLimit, ModelSlug, NetworkBlock, OperatorAct, OperatorControls } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { instantFromColumn } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { storableTextOrNull } from '../text/storable-text.js';
import { incidentLimitToRow } from './incident-limit-row.js';
import { formatNetworkRange, parseNetworkRange } from './network-range.js';
import { MAINTENANCE_SETTING } from './platform-snapshot-script.js';

/** Operators' switches in any SQL database. */
export class SqlOperatorControls implements OperatorControls {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  setMaintenance(state: 'on' | 'off', by: OperatorAct): Promise<void> {
    return this.runner.write(() => this.switchMaintenance(state, by));
  }

  listNetworkBlocks(): Promise<readonly NetworkBlock[]> {
    return this.runner.read(() => this.blocks());
  }

  async blockNetwork(network: string, reason: string | null, by: OperatorAct): Promise<'blocked' | 'blocked-already' | 'malformed'> {
    const range = parseNetworkRange(network);
    if (range === null) return 'malformed';
    const block: NetworkBlock = { network: formatNetworkRange(range), reason: storableTextOrNull(reason), blockedAt: by.at };
    return this.runner.write(() => this.insertBlock(block, by));
  }

  async unblockNetwork(network: string, by: OperatorAct): Promise<'unblocked' | 'not-blocked' | 'malformed'> {
    const range = parseNetworkRange(network);
    return range === null ? 'malformed' : this.runner.write(() => this.deleteBlock(formatNetworkRange(range), by));
  }

  setIncidentLimit(limit: IncidentLimit, by: OperatorAct): Promise<void> {
    return this.runner.write(() => this.replaceLimit(limit, by));
  }

  clearIncidentLimit(model: ModelSlug, by: OperatorAct): Promise<boolean> {
    return this.runner.write(() => this.deleteLimit(model, by));
  }

  private* switchMaintenance(state: 'on' | 'off', by: OperatorAct): Script<void> {
    const setting = yield* firstOf(this.queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
    if ((setting?.value ?? 'off') === state) return;
    yield* changesOf(this.queries.insertInto('platform_settings').values({ name: MAINTENANCE_SETTING, value: state })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: state })));
    yield* appendAuditEntry(this.queries, { ...by, action: `platform.maintenance-${state}`, subject: 'platform', accountId: null, details: {} });
  }

  private* blocks(): Script<readonly NetworkBlock[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('network_blocks').selectAll().orderBy('blocked_at').orderBy('network'));
    return rows.map(({ network, reason, blocked_at }) => ({ network, reason, blockedAt: instantFromColumn(blocked_at) }));
  }

  private* insertBlock({ network, reason, blockedAt }: NetworkBlock, by: OperatorAct): Script<'blocked' | 'blocked-already'> {
    const inserted = yield* changesOf(this.queries.insertInto('network_blocks').values({ network, reason, blocked_at: blockedAt })
      .onConflict((conflict) => conflict.column('network').doNothing()));
    if (inserted === 0) return 'blocked-already';
    yield* appendAuditEntry(this.queries, { ...by, action: 'network.blocked', subject: network, accountId: null, details: {}, texts: { reason } });
    return 'blocked';
  }

  private* deleteBlock(network: string, by: OperatorAct): Script<'unblocked' | 'not-blocked'> {
    const deleted = yield* changesOf(this.queries.deleteFrom('network_blocks').where('network', '=', network));
    if (deleted === 0) return 'not-blocked';
    yield* appendAuditEntry(this.queries, { ...by, action: 'network.unblocked', subject: network, accountId: null, details: {} });
    return 'unblocked';
  }

  private* replaceLimit(limit: IncidentLimit, by: OperatorAct): Script<void> {
    const { model, ...limits } = incidentLimitToRow(limit);
    yield* changesOf(this.queries.insertInto('incident_limits').values({ model, ...limits })
      .onConflict((conflict) => conflict.column('model').doUpdateSet(limits)));
    yield* appendAuditEntry(this.queries, { ...by, action: 'incident-limit.set', subject: model, accountId: null, details: { ...limit } });
  }

  private* deleteLimit(model: ModelSlug, by: OperatorAct): Script<boolean> {
    const deleted = yield* changesOf(this.queries.deleteFrom('incident_limits').where('model', '=', model));
    if (deleted === 0) return false;
    yield* appendAuditEntry(this.queries, { ...by, action: 'incident-limit.cleared', subject: model, accountId: null, details: {} });
    return true;
  }
}
