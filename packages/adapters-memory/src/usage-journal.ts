import { type AccountId, invariant, type RequestId, tokenCount, type TokensUsed, totalTokensOf, type UsageReport, type UtcDay, utcDayOf } from '@tollgate/core';

interface WrittenRecord {
  /** Number of records written earlier, of all accounts. */
  readonly place: number;
  readonly record: UsageReport;
}

/** Usage records in order, with token sums by day. Only the ledger writes to it. */
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

  /** Replaces a record, but keeps the time at which the request first ended. */
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

  /** Records of one account, oldest first. */
  of(accountId: AccountId): readonly UsageReport[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])].map(({ record }) => record);
  }

  /** Records of all accounts, oldest first. */
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
