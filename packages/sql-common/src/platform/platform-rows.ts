import {
  type AccountId, type ApiKeyId, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, hasBlockEnded, type IncidentLimit,
  instant, type Instant, type ModelSlug, networkMatcher, type OperatorAct, parseNetwork, type PlatformSnapshot,
  type RecordedIncidentLimit, type RecordedMaintenance, tokenCount, UNTIL_UNBLOCKED,
} from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { BLOCK_COLUMNS, INCIDENT_LIMIT_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull, storableText, storableTextOrNull } from '../schema/columns.js';
import type { BlockTable, IncidentLimitTable } from '../schema/database-schema.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';

function numberOrNull(column: bigint | null): number | null {
  return column === null ? null : Number(column);
}

function incidentLimitFromRow(row: Selectable<IncidentLimitTable>): IncidentLimit {
  const tokensPerMinute = numberOrNull(row.tokens_per_minute);
  return {
    model: row.model as ModelSlug,
    setAt: instantFromColumn(row.set_at),
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    tokensPerMinute: tokensPerMinute === null ? null : tokenCount(tokensPerMinute),
    concurrentRequests: numberOrNull(row.concurrent_requests),
    expiresAt: instantOrNull(row.expires_at),
  };
}

export function recordedLimitFromRow(row: Selectable<IncidentLimitTable>): RecordedIncidentLimit {
  return { ...incidentLimitFromRow(row), setBy: row.set_by };
}

export function incidentLimitToRow(limit: IncidentLimit, setBy: string): Insertable<IncidentLimitTable> {
  return {
    model: limit.model,
    set_at: limit.setAt,
    requests_per_minute: limit.requestsPerMinute,
    tokens_per_minute: limit.tokensPerMinute,
    concurrent_requests: limit.concurrentRequests,
    expires_at: limit.expiresAt,
    set_by: setBy,
  };
}

/** The setting that maintenance is stored in; there is none when it is off. */
export const MAINTENANCE_SETTING = 'maintenance';

interface StoredMaintenance {
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly message: string | null;
  readonly setBy: string | null;
  readonly setAt: number;
}

export function maintenanceFromSetting(value: string): RecordedMaintenance {
  const { startsAt, endsAt, message, setBy, setAt } = JSON.parse(value) as StoredMaintenance;
  return { startsAt: instant(startsAt), endsAt: endsAt === null ? null : instant(endsAt), message, setBy, setAt: instant(setAt) };
}

export function maintenanceToSetting({ startsAt, endsAt, message, setBy, setAt }: RecordedMaintenance): string {
  return JSON.stringify({ startsAt, endsAt, message, setBy, setAt } satisfies StoredMaintenance);
}

export interface NetworkBlock extends Pick<BlockTerms, 'expiresAt'> {
  /** Canonical CIDR form. */
  readonly network: string;
}

/** Tells whether an address is blocked. The networks are compiled once, and again whenever one of their blocks has ended. */
function blockedNetworks(blocks: readonly NetworkBlock[]): PlatformSnapshot['isNetworkBlocked'] {
  let inForce = blocks;
  let matches = matcherOf(inForce);
  let endsAt = firstEnd(inForce);
  return (address, now) => {
    if (endsAt !== null && endsAt <= now) {
      inForce = inForce.filter((block) => !hasBlockEnded(block, now));
      matches = matcherOf(inForce);
      endsAt = firstEnd(inForce);
    }
    return matches(address);
  };
}

function matcherOf(blocks: readonly NetworkBlock[]): (address: string) => boolean {
  return networkMatcher(blocks.map(({ network }) => parseNetwork(network)).filter((network) => network !== null), 'inside');
}

function firstEnd(blocks: readonly NetworkBlock[]): Instant | null {
  let first: Instant | null = null;
  for (const { expiresAt } of blocks) if (expiresAt !== null && (first === null || expiresAt < first)) first = expiresAt;
  return first;
}

/** Reads all that operators have set. */
export function* platformSnapshot(queries: Queries): Script<PlatformSnapshot> {
  const maintenance = yield* firstOf(queries.selectFrom('platform_settings').select('value').where('name', '=', MAINTENANCE_SETTING));
  const limits = (yield* rowsOf(queries.selectFrom('incident_limits').select(INCIDENT_LIMIT_COLUMNS))).map(incidentLimitFromRow);
  const networks = yield* rowsOf(queries.selectFrom('blocks').select(['subject', 'expires_at']).where('kind', '=', 'network'));
  const next = yield* firstOf(queries.selectFrom('blocks').select('expires_at').where('expires_at', 'is not', null).orderBy('expires_at').limit(1));
  return {
    maintenance: maintenance === null ? null : maintenanceFromSetting(maintenance.value),
    incidentLimits: new Map(limits.map((limit) => [limit.model, limit])),
    nextBlockEndsAt: next === null ? null : instantOrNull(next.expires_at),
    isNetworkBlocked: blockedNetworks(networks.map(({ subject, expires_at }) => ({ network: subject, expiresAt: instantOrNull(expires_at) }))),
  };
}

function targetOf(kind: string, subject: string): BlockTarget {
  switch (kind) {
    case 'account': return { kind, subject: subject as AccountId };
    case 'key': return { kind, subject: subject as ApiKeyId };
    default: return { kind: 'network', subject };
  }
}

export function blockFromRow({ kind, subject, reason, blocked_by, blocked_at, expires_at }: Selectable<BlockTable>): Block {
  return { target: targetOf(kind, subject), reason, blockedBy: blocked_by, blockedAt: instantFromColumn(blocked_at), expiresAt: instantOrNull(expires_at) };
}

/** `false` when there is a block already that has not ended; one that has ended is replaced. */
export function* insertBlock(queries: Queries, { kind, subject }: BlockTarget, by: OperatorAct & Partial<BlockTerms>): Script<boolean> {
  const { actor, at, reason, expiresAt } = { ...UNTIL_UNBLOCKED, ...by };
  const terms = { reason: storableTextOrNull(reason), blocked_by: storableText(actor.id), blocked_at: at, expires_at: expiresAt };
  const changes = yield* changesOf(queries.insertInto('blocks').values({ kind, subject, ...terms })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(terms).where('blocks.expires_at', '<=', BigInt(at))));
  return changes > 0;
}

/** `false` when there is none. */
export function* deleteBlock(queries: Queries, { kind, subject }: BlockTarget): Script<boolean> {
  return (yield* changesOf(queries.deleteFrom('blocks').where('kind', '=', kind).where('subject', '=', subject))) > 0;
}

export function* findBlock(queries: Queries, { kind, subject }: BlockTarget): Script<Block | null> {
  const row = yield* firstOf(queries.selectFrom('blocks').select(BLOCK_COLUMNS).where('kind', '=', kind).where('subject', '=', subject));
  return row === null ? null : blockFromRow(row);
}

export function* listBlocks(queries: Queries, { limit, after, now }: BlockListQuery): Script<readonly Block[]> {
  const newest = queries.selectFrom('blocks').select(BLOCK_COLUMNS)
    .where((block) => block.or([block('expires_at', 'is', null), block('expires_at', '>', BigInt(now))]))
    .orderBy('blocked_at', 'desc').orderBy('kind', 'desc').orderBy('subject', 'desc').limit(limit);
  const rows = yield* rowsOf(after === null ? newest : newest.where((block) => block(
    block.refTuple('blocked_at', 'kind', 'subject'), '<',
    block.tuple(BigInt(after.blockedAt), after.target.kind as string, after.target.subject),
  )));
  return rows.map(blockFromRow);
}

/** Blocks that have come to their date by that clock. */
export function* endedBlocks(queries: Queries, { clock, now, limit }: { readonly clock: LeaseClock; readonly now: Instant; readonly limit: number }): Script<readonly BlockTarget[]> {
  const rows = yield* rowsOf(queries.selectFrom('blocks').select(['kind', 'subject']).where('expires_at', '<=', presentBy(clock, now)).orderBy('expires_at').limit(limit));
  return rows.map(({ kind, subject }) => targetOf(kind, subject));
}
