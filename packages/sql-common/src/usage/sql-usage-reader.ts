import { createHash } from 'node:crypto';
import {
  type AccountId, ALL_ACCOUNTS, type ApiKeyId, type Instant, type ModelSlug, type RequestId, type RequestTransfer, ServiceTokens,
  type TokensUsed, type UsageBreakdown, type UsageBreakdownQuery, type UsageBucket, type UsagePage, type UsageQuery, type UsageReader,
  type UsageReport, type UsageScope, type UsageSummaryQuery, withLateSettlement,
} from '@tollgate/core';
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { LATE_SETTLEMENT_COLUMNS, PURCHASE_COLUMNS, USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, storableText, storableTextOrNull } from '../schema/columns.js';
import type { DatabaseSchema } from '../schema/database-schema.js';
import { firstOf, type Queries, rowsOf, type Script, type ScriptRunner } from '../script/script.js';
import { lateSettlementFromRow, usageRecordFromRow, type UsageRecordRow, withHold } from './usage-rows.js';
import { type DaysQuery, endOfNewestDay, UsageBreakdownScripts, UsageSummaryScripts } from './usage-summary-scripts.js';

/** What a record must have that the index it is found by does not know. */
export type UsageCondition = RawBuilder<SqlBool>;

type LateColumn = 'end_reason' | 'served_by' | 'charge';

/** What the late settlement of a record says; `null` where there is none. */
function lateColumn(column: LateColumn): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`late.${column}`)} from late_settlements as late where late.reservation_id = usage_records.reservation_id)`;
}

/** Those of the filters, each on the record as its readers see it, with its late settlement. */
function conditionsOf({ accountId, model, keyId, attribution, endReason, leastCharge }: UsageQuery): readonly UsageCondition[] {
  return [
    keyId === null ? null : sql<SqlBool>`key_id = ${keyId}`,
    // The users of one account are in an index.
    attribution === null || accountId !== ALL_ACCOUNTS ? null : sql<SqlBool>`attribution = ${attribution}`,
    model === null ? null : sql<SqlBool>`case when ${lateColumn('end_reason')} is null then served_by else ${lateColumn('served_by')} end = ${model}`,
    endReason === null ? null : sql<SqlBool>`coalesce(${lateColumn('end_reason')}, end_reason) = ${endReason}`,
    leastCharge === null ? null : sql<SqlBool>`charge + coalesce(${lateColumn('charge')}, 0) >= ${leastCharge.toUnits()}`,
  ].filter((condition) => condition !== null);
}

/** The last record of a page: the next one begins after it. */
export interface UsagePosition {
  readonly endedAt: bigint;
  readonly seq: bigint;
}

const CURSOR_PATTERN = /^(\d{1,16})\.(\d{1,18})\.([0-9a-f]{16})$/;
const CHECK_LENGTH = 16;

/** Binds a position to an account, or to all. Not a secret: a forged cursor still reads the caller's own records only. */
function checkOf(scope: UsageScope, position: string): string {
  return createHash('sha256').update(`${scope === ALL_ACCOUNTS ? '' : scope}\n${position}`).digest('hex').slice(0, CHECK_LENGTH);
}

function encodeUsageCursor(scope: UsageScope, { endedAt, seq }: UsagePosition): string {
  const position = `${endedAt}.${seq}`;
  return Buffer.from(`${position}.${checkOf(scope, position)}`, 'latin1').toString('base64url');
}

/** `null` when the text is not a cursor of this account, or of all. */
function decodeUsageCursor(scope: UsageScope, cursor: string): UsagePosition | null {
  const match = CURSOR_PATTERN.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, endedAt, seq, check] = match ?? [];
  if (endedAt === undefined || seq === undefined || check !== checkOf(scope, `${endedAt}.${seq}`)) return null;
  return { endedAt: BigInt(endedAt), seq: BigInt(seq) };
}

/** Records that one page looks through at most where no index serves a filter, so that it does not take long. */
const RECORDS_PER_LOOK = 2_000;

/** A page that looked at nothing, with nothing behind it. */
const NO_RECORDS: UsagePage = { records: [], nextCursor: null, searchedTo: null };

type Records = SelectQueryBuilder<DatabaseSchema, 'usage_records', object>;

/** The same query in texts that every database takes. */
function storable(query: UsageQuery): UsageQuery {
  return {
    ...query,
    model: storableTextOrNull(query.model) as ModelSlug | null,
    keyId: storableTextOrNull(query.keyId) as ApiKeyId | null,
    attribution: storableTextOrNull(query.attribution),
  };
}

/** The account whose daily sums say on which days anything matches; `null` where they say nothing of it. */
function summedAccountOf({ accountId, model, keyId, attribution }: UsageQuery): AccountId | null {
  return accountId === ALL_ACCOUNTS || attribution !== null || (model === null && keyId === null) ? null : accountId;
}

/** Reads of usage records, for any SQL database. */
export class UsageRecordScripts {
  constructor(private readonly queries: Queries) {}

  * find(scope: UsageScope, requestId: RequestId): Script<UsageReport | null> {
    const row = yield* firstOf(this.queries.selectFrom('usage_records').select(USAGE_RECORD_COLUMNS)
      .where('request_id', '=', storableText(requestId))
      .$if(scope !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', scope as AccountId)));
    if (row === null) return null;
    const [record] = yield* this.recordsOf([row]);
    return record ?? null;
  }

  * page(given: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
    const query = storable(given);
    const accountId = summedAccountOf(query);
    if (accountId === null) return yield* this.pageFrom(query, after);
    const newestDay = yield* endOfNewestDay(this.queries, { ...query, accountId }, after);
    if (newestDay === null) return NO_RECORDS;
    const to = query.to === null || query.to > newestDay ? newestDay : query.to;
    return yield* this.pageFrom({ ...query, to }, after);
  }

  private* pageFrom(query: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
    const newest = this.newest(query, after);
    const conditions = conditionsOf(query);
    const last = conditions.length === 0 ? null : yield* this.lastLookedAt(newest);
    const looked = last === null ? newest : newest.where((record) => record(record.refTuple('ended_at', 'seq'), '>=', record.tuple(last.ended_at, last.seq)));
    const matching = conditions.reduce<Records>((records, condition) => records.where(condition), looked);
    const rows = yield* rowsOf(matching.select(USAGE_RECORD_COLUMNS).limit(query.limit + 1));
    const shown = rows.slice(0, query.limit);
    const next = rows.length > query.limit ? shown.at(-1) ?? null : last;
    return {
      records: yield* this.recordsOf(shown),
      nextCursor: next === null ? null : encodeUsageCursor(query.accountId, { endedAt: next.ended_at, seq: next.seq }),
      searchedTo: next === null ? null : instantFromColumn(next.ended_at),
    };
  }

  /** Newest first, as one index has them: of an account that by user or that by time, of all accounts that by time alone. */
  private newest({ accountId, attribution, from, to }: UsageQuery, after: UsagePosition | null): Records {
    return this.queries.selectFrom('usage_records')
      .$if(accountId !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', accountId as AccountId)
        .$if(attribution !== null, (ofUser) => ofUser.where('attribution', '=', attribution)))
      .$if(from !== null, (records) => records.where('ended_at', '>=', BigInt(from ?? 0)))
      .$if(to !== null, (records) => records.where('ended_at', '<', BigInt(to ?? 0)))
      .$if(after !== null, (records) => records.where((record) => (
        record(record.refTuple('ended_at', 'seq'), '<', record.tuple(after?.endedAt ?? 0n, after?.seq ?? 0n)))))
      .orderBy('ended_at', 'desc').orderBy('seq', 'desc');
  }

  /** Where the next page goes on; `null` when this one may look through all that is left. */
  private* lastLookedAt(newest: Records): Script<Pick<UsageRecordRow, 'ended_at' | 'seq'> | null> {
    return yield* firstOf(newest.select(['ended_at', 'seq']).limit(1).offset(RECORDS_PER_LOOK - 1));
  }

  private* recordsOf(rows: readonly UsageRecordRow[]): Script<readonly UsageReport[]> {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.reservation_id);
    const late = yield* rowsOf(this.queries.selectFrom('late_settlements').select(LATE_SETTLEMENT_COLUMNS).where('reservation_id', 'in', ids));
    const holds = yield* rowsOf(this.queries.selectFrom('reservations').select(['id', 'amount', 'created_at']).where('id', 'in', ids));
    const purchases = yield* rowsOf(this.queries.selectFrom('purchase_requests').select(PURCHASE_COLUMNS).where('request_id', 'in', rows.map((row) => row.request_id)));
    const purchaseByRequest = new Map(purchases.map((row) => [row.request_id, row]));
    const lateByReservation = new Map(late.map((row) => [row.reservation_id, row]));
    const holdsById = new Map(holds.map((row) => [row.id, row]));
    return rows.map((row) => {
      const purchase = purchaseByRequest.get(row.request_id);
      const record = usageRecordFromRow(row, purchase);
      const settledLate = lateByReservation.get(row.reservation_id);
      return withHold(settledLate === undefined ? record : withLateSettlement(record, lateSettlementFromRow(settledLate, purchase)), holdsById.get(row.reservation_id));
    });
  }
}

const COLUMNS = ['seq', 'kind', 'amount', 'reference', 'at'] as const;

/** What the ledger holds of a request that has ended; each of its look-ups has an index. */
function* requestTransfers(queries: Queries, scope: UsageScope, requestId: RequestId): Script<readonly RequestTransfer[]> {
  const id = storableText(requestId);
  const record = yield* firstOf(queries.selectFrom('usage_records').select(['account_id', 'reservation_id']).where('request_id', '=', id));
  if (record === null || (scope !== ALL_ACCOUNTS && record.account_id !== scope)) return [];
  const charges = yield* rowsOf(queries.selectFrom('ledger_entries').select(COLUMNS).where('reservation_id', '=', record.reservation_id).orderBy('seq'));
  const refunds = yield* rowsOf(queries.selectFrom('ledger_entries').select(COLUMNS).where('kind', '=', 'refund').where('request_id', '=', id).orderBy('seq'));
  return [...charges, ...refunds].toSorted((first, second) => (first.seq < second.seq ? -1 : 1)).map(({ kind, amount, reference, at }) => ({
    kind: kind as RequestTransfer['kind'], amount: ServiceTokens.fromUnits(amount), reference, at: instantFromColumn(at),
  }));
}

/** Records that are read in a few milliseconds; each that is not in the page cache may take one more. Larger pages are read in another thread; routes bound pages themselves. */
const MAX_QUICK_PAGE = 100;

/** Usage as settlements wrote it, from any SQL database. */
export class SqlUsageReader implements UsageReader {
  private readonly records: UsageRecordScripts;
  private readonly summaries: UsageSummaryScripts;
  private readonly breakdowns: UsageBreakdownScripts;

  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {
    this.records = new UsageRecordScripts(queries);
    this.summaries = new UsageSummaryScripts(queries);
    this.breakdowns = new UsageBreakdownScripts(queries);
  }

  find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null> {
    return this.runner.read(() => this.records.find(accountId, requestId));
  }

  transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]> {
    return this.runner.read(() => requestTransfers(this.queries, accountId, requestId));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const after = query.cursor === null ? null : decodeUsageCursor(query.accountId, query.cursor);
    if (query.cursor !== null && after === null) return null;
    const script = () => this.records.page(query, after);
    return query.limit > MAX_QUICK_PAGE ? this.runner.readInSharedThread(query.accountId, script) : this.runner.read(script);
  }

  async summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const { accountId, from, to, groupBy } = query;
    return this.readSums({ accountId, from, to, byUser: groupBy === 'user' }, () => this.summaries.summary(query));
  }

  breakdown(query: UsageBreakdownQuery): Promise<UsageBreakdown> {
    const { accountId, from, to, grouping } = query;
    return this.readSums({ accountId, from, to, byUser: grouping.group === 'user' }, () => this.breakdowns.breakdown(query));
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return this.runner.read(() => this.summaries.tokensUsed(accountId, at));
  }

  private async readSums<T>(days: DaysQuery & { readonly byUser: boolean }, script: () => Script<T>): Promise<T> {
    const isLong = await this.runner.read(() => this.summaries.isLong(days));
    return isLong ? this.runner.readInSharedThread(days.accountId, script) : this.runner.read(script);
  }
}
