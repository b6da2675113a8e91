import {
  type AccountId, type RequestId, type TokensUsed, type UsageRecord, type UtcDay, invariant, tokenCount, totalTokensOf, utcDayOf,
} from '@tollgate/core';

/** Usage records in the order they were written, with the tokens of each day. Written by the ledger alone. */
export class UsageJournal {
  readonly #byAccount = new Map<AccountId, Map<RequestId, UsageRecord>>();
  readonly #tokensByDay = new Map<AccountId, Map<UtcDay, number>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  record(record: UsageRecord): void {
    const records = this.#recordsOf(record.accountId);
    invariant(!records.has(record.requestId), 'a request ends once');
    this.#size += 1;
    records.set(record.requestId, record);
    this.#count(record, 1);
  }

  /** Replaces what a record says of how the request ended; it stays dated by its first end. */
  amend(record: UsageRecord): void {
    const first = this.find(record.accountId, record.requestId);
    invariant(first !== null, 'only a record that was written is amended');
    const amended = { ...record, endedAt: first.endedAt };
    this.#count(first, -1);
    this.#recordsOf(record.accountId).set(record.requestId, amended);
    this.#count(amended, 1);
  }

  find(accountId: AccountId, requestId: RequestId): UsageRecord | null {
    return this.#byAccount.get(accountId)?.get(requestId) ?? null;
  }

  /** Oldest first. */
  of(accountId: AccountId): readonly UsageRecord[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])];
  }

  all(): readonly UsageRecord[] {
    return [...this.#byAccount.values()].flatMap((records) => [...records.values()]);
  }

  tokensOn(accountId: AccountId, day: UtcDay): TokensUsed {
    const days = this.#tokensByDay.get(accountId) ?? new Map<UtcDay, number>();
    const month = [...days].filter(([other]) => other.startsWith(day.slice(0, 7))).reduce((sum, [, tokens]) => sum + tokens, 0);
    return { day: tokenCount(days.get(day) ?? 0), month: tokenCount(month) };
  }

  #recordsOf(accountId: AccountId): Map<RequestId, UsageRecord> {
    return entryOf(this.#byAccount, accountId, () => new Map<RequestId, UsageRecord>());
  }

  #count(record: UsageRecord, times: 1 | -1): void {
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
