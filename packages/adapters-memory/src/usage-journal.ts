import {
  type AccountId, type BreakdownDimension, invariant, type RequestId, type SummaryGrouping, tokenCount, type TokensUsed, totalTokensOf,
  type UsageRecord, type UsageReport, type UtcDay, utcDayOf,
} from '@tollgate/core';

interface WrittenRecord {
  /** How many records of all accounts were written before it. */
  readonly place: number;
  readonly record: UsageReport;
}

/** Usage records in the order they were written, with the tokens of each day. Written by the ledger alone. */
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

  /** Replaces what a record says of how the request ended; it stays dated by its first end. */
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

/** The group that a record belongs to; `null` for requests of none. */
export function groupOf(record: UsageRecord, dimension: BreakdownDimension): string | null {
  return MEMBER_OF[dimension](record);
}

export function summaryGroupOf(record: UsageRecord, grouping: SummaryGrouping): string | null {
  if (grouping === 'day') return utcDayOf(record.endedAt);
  if (grouping === 'day-model') return `${utcDayOf(record.endedAt)} ${groupOf(record, 'model') ?? ''}`;
  return groupOf(record, grouping);
}
