import {
  type AccountId, ALL_ACCOUNTS, type BreakdownDimension, breakdownOf, type DatedBreakdown, type DayRange, type Instant, invariant, isByDay,
  NO_USAGE_FILTERS, parseUtcDay, passesUsageFilters, periodsOf, type PeriodUnit, rankUsage, type RequestId, type RequestTransfer,
  startOfUtcDay, type SummaryGrouping, sumsOfRecord, tokenCount, type TokensUsed, type TotalsDimension, type TotalsQuery, totalTokensOf,
  type UsageBreakdown, type UsageBreakdownQuery, type UsageBucket, usageBuckets, type UsageCell, type UsagePage, type UsageQuery,
  type UsageReader, type UsageRecord, type UsageReport, type UsageScope, type UsageSummaryQuery, type UsageTotals, type UtcDay, utcDayOf,
} from '@tollgate/core';

interface WrittenRecord {
  /** How many records of all accounts were written before it. */
  readonly place: number;
  readonly record: UsageReport;
}

/** Usage records in order, with tokens by day. Only the ledger writes it. */
export class UsageJournal {
  readonly #byAccount = new Map<AccountId, Map<RequestId, WrittenRecord>>();
  readonly #tokensByDay = new Map<AccountId, Map<UtcDay, number>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  record(record: UsageReport): void {
    const records = this.#recordsOf(record.accountId);
    invariant(!records.has(record.requestId), 'a request ends once');
    records.set(record.requestId, { place: this.#size, record });
    this.#size += 1;
    this.#count(record, 1);
  }

  /** Replaces how a record says that its request ended. Its date stays that of the first end. */
  amend(record: UsageReport): void {
    const records = this.#recordsOf(record.accountId);
    const written = records.get(record.requestId);
    invariant(written !== undefined, 'only a record that was written is amended');
    const amended = { ...record, endedAt: written.record.endedAt };
    this.#count(written.record, -1);
    records.set(record.requestId, { place: written.place, record: amended });
    this.#count(amended, 1);
  }

  find(accountId: AccountId, requestId: RequestId): UsageReport | null {
    return this.#byAccount.get(accountId)?.get(requestId)?.record ?? null;
  }

  /** Oldest first. */
  of(accountId: AccountId): readonly UsageReport[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])].map(({ record }) => record);
  }

  /** Of all accounts, oldest first. */
  all(): readonly UsageReport[] {
    const written = [...this.#byAccount.values()].flatMap((records) => [...records.values()]);
    return written.toSorted((first, second) => first.place - second.place).map(({ record }) => record);
  }

  tokensOn(accountId: AccountId, day: UtcDay): TokensUsed {
    const days = this.#tokensByDay.get(accountId) ?? new Map<UtcDay, number>();
    const month = [...days].filter(([other]) => other.startsWith(day.slice(0, 7))).reduce((sum, [, tokens]) => sum + tokens, 0);
    return { day: tokenCount(days.get(day) ?? 0), month: tokenCount(month) };
  }

  #recordsOf(accountId: AccountId): Map<RequestId, WrittenRecord> {
    return entryOf(this.#byAccount, accountId, () => new Map<RequestId, WrittenRecord>());
  }

  #count(record: UsageReport, times: 1 | -1): void {
    const days = entryOf(this.#tokensByDay, record.accountId, () => new Map<UtcDay, number>());
    const day = utcDayOf(record.endedAt);
    days.set(day, (days.get(day) ?? 0) + times * totalTokensOf(record.usage));
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const MEMBER_OF: Readonly<Record<BreakdownDimension, (record: UsageRecord) => string | null>> = {
  model: ({ service }) => service?.servedBy ?? null,
  key: ({ keyId }) => keyId,
  user: ({ attribution }) => attribution,
};

/** The group of a record; `null` without one. */
function groupOf(record: UsageRecord, dimension: BreakdownDimension): string | null {
  return MEMBER_OF[dimension](record);
}

function summaryGroupOf(record: UsageRecord, grouping: SummaryGrouping): string | null {
  if (grouping === 'day') return utcDayOf(record.endedAt);
  if (grouping === 'day-model') return `${utcDayOf(record.endedAt)} ${groupOf(record, 'model') ?? ''}`;
  return groupOf(record, grouping);
}

/** One cell per record of the range, in the period of its end. */
function cellsOf(
  records: readonly UsageRecord[], { from, to, unit }: DayRange & { readonly unit: PeriodUnit | null }, nameOf: (record: UsageRecord) => string | null,
): readonly UsageCell[] {
  const periods = unit === null ? [] : periodsOf(unit, { from, to });
  const labelOf = ({ endedAt }: UsageRecord): string | null => periods.findLast((period) => endedAt >= (parseUtcDay(period.from) ?? endedAt))?.label ?? null;
  return records.filter(({ endedAt }) => endedAt >= from && endedAt < to)
    .map((record) => ({ period: labelOf(record), group: nameOf(record), sums: sumsOfRecord(record) }));
}

/** Reads what the memory ledger settled. */
export class MemoryUsage implements UsageReader {
  constructor(private readonly journal: UsageJournal, private readonly transfers: RequestTransfers) {}

  async find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null> {
    if (accountId !== ALL_ACCOUNTS) return this.journal.find(accountId, requestId);
    return this.journal.all().find((record) => record.requestId === requestId) ?? null;
  }

  async transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]> {
    return await this.find(accountId, requestId) === null ? [] : this.transfers.of(requestId);
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const { accountId } = query;
    const written = accountId === ALL_ACCOUNTS ? this.journal.all() : this.journal.of(accountId);
    const newestFirst = written.toReversed().toSorted((first, second) => second.endedAt - first.endedAt);
    const start = query.cursor === null ? 0 : newestFirst.findIndex((record) => cursorOf(accountId, record) === query.cursor) + 1;
    if (query.cursor !== null && start === 0) return null;
    const rest = newestFirst.slice(start).filter((record) => passesUsageFilters(record, query));
    const records = rest.slice(0, query.limit);
    const last = records.at(-1);
    if (rest.length === records.length || last === undefined) return { records, nextCursor: null, searchedTo: null };
    return { records, nextCursor: cursorOf(accountId, last), searchedTo: last.endedAt };
  }

  async summary({ accountId, from, to, groupBy, limit }: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const [start, end] = [startOfUtcDay(from), startOfUtcDay(to)];
    const records = this.journal.of(accountId).filter(({ endedAt }) => endedAt >= start && endedAt < end);
    const buckets = usageBuckets(records.map((record) => ({ group: summaryGroupOf(record, groupBy), sums: sumsOfRecord(record) })), groupBy);
    return isByDay(groupBy) ? buckets : buckets.slice(0, limit);
  }

  breakdown({ accountId, from, to, grouping: { unit, group }, top, model, keyId }: UsageBreakdownQuery): Promise<UsageBreakdown> {
    const own = this.journal.of(accountId).filter((record) => passesUsageFilters(record, { ...NO_USAGE_FILTERS, model, keyId }));
    const cells = cellsOf(own, { from, to, unit }, (record) => (group === null ? null : groupOf(record, group)));
    return Promise.resolve(breakdownOf(rankUsage(cells, top)));
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return Promise.resolve(this.journal.tokensOn(accountId, utcDayOf(at)));
  }
}

/** Names a record in one scope and in no other. */
function cursorOf(scope: UsageScope, { requestId }: UsageReport): string {
  return Buffer.from(JSON.stringify([scope === ALL_ACCOUNTS ? null : scope, requestId])).toString('base64url');
}

const GROUPS: Readonly<Record<TotalsDimension, (record: UsageRecord) => AccountId | string | null>> = {
  model: (record) => groupOf(record, 'model'), account: ({ accountId }) => accountId,
};

/** Usage totals of all accounts as of the last update. */
export class MemoryUsageTotals implements UsageTotals {
  #summed: { readonly at: Instant; readonly records: readonly UsageRecord[] } | null = null;

  constructor(private readonly journal: UsageJournal) {}

  summedAt(): Promise<Instant | null> {
    return Promise.resolve(this.#summed?.at ?? null);
  }

  hasNewSettlements(): Promise<boolean> {
    return Promise.resolve(this.journal.size > (this.#summed?.records.length ?? 0));
  }

  sumUp(at: Instant): Promise<boolean> {
    this.#summed = { at, records: this.journal.all() };
    return Promise.resolve(true);
  }

  breakdown({ from, to, grouping: { unit, group }, top, model }: TotalsQuery): Promise<DatedBreakdown | null> {
    if (this.#summed === null) return Promise.resolve(null);
    const { at: asOf, records } = this.#summed;
    const counted = records.filter((record) => passesUsageFilters(record, { ...NO_USAGE_FILTERS, model }));
    const cells = cellsOf(counted, { from, to, unit }, (record) => (group === null ? null : GROUPS[group](record)));
    return Promise.resolve({ asOf, ...breakdownOf(rankUsage(cells, top)) });
  }
}

/** Bookings of each request, in order. Zero amounts have no entry. */
export class RequestTransfers {
  readonly #byRequest = new Map<RequestId, RequestTransfer[]>();

  add(requestId: RequestId, transfers: readonly RequestTransfer[]): void {
    const booked = this.#byRequest.get(requestId) ?? [];
    booked.push(...transfers.filter(({ amount }) => !amount.isZero()));
    this.#byRequest.set(requestId, booked);
  }

  of(requestId: RequestId): readonly RequestTransfer[] {
    return this.#byRequest.get(requestId) ?? [];
  }
}
