import {
  type AccountId, availableOf, type Balance, creditExpiringEvent, type CreditLeft, type CreditNoticeDays, creditNoticeOf, type CreditRecords, type CreditTurnOutcome, expiryActOf, type Instant, invariant, later,
  MILLISECONDS_PER_MINUTE, nextCreditCheck,
} from '@tollgate/core';
import { appendEvent } from '../events/append-event.js';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { storableText } from '../schema/storable-text.js';
import { locking, type Queries } from '../script/queries.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { type CreditSnapshot, FIRST_SNAPSHOT, SNAPSHOT_COLUMNS, snapshotFromRow, snapshotToRow } from './credit-snapshot-rows.js';
import { deriveCredits, deriveFromRecent } from './derive-credits.js';

/** Longer than a derivation takes. If the process dies, another one may take over the account after this time. */
const LEASE_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;
/** Maximum attempts per turn. If too much is booked during each of them, the account is left to the next turn. */
const MAX_ATTEMPTS = 5;
/** If a list had to replay at least this many entries, its result is stored as the new snapshot. */
const ENTRIES_WORTH_A_SNAPSHOT = 500;

interface Expiring {
  readonly accountId: AccountId;
  readonly credit: CreditLeft;
  readonly through: bigint;
  readonly at: Instant;
}

/** Long replays run outside writing transactions, which read a bounded number of entries. */
export class SqlCreditRecords implements CreditRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async list(accountId: AccountId): Promise<readonly CreditLeft[]> {
    const { newEntries, snapshot, previous } = await this.runner.readInSharedThread(accountId, () => this.derive(accountId));
    if (newEntries >= ENTRIES_WORTH_A_SNAPSHOT) await this.runner.write(() => this.keep(accountId, snapshot, previous));
    return snapshot.credits;
  }

  due(at: Instant, limit: number): Promise<readonly AccountId[]> {
    return this.runner.read(() => this.dueAccounts(at, limit));
  }

  async expire(accountId: AccountId, at: Instant): Promise<CreditTurnOutcome> {
    if (!await this.runner.write(() => this.claim(accountId, at))) return 'busy';
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { snapshot, previous } = await this.runner.readInBackground(() => this.derive(accountId));
      const isDone = await this.runner.write(() => this.settle(accountId, { snapshot, previous, at }));
      if (isDone) return 'done';
    }
    return 'behind';
  }

  private* dueAccounts(at: Instant, limit: number): Script<readonly AccountId[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('credit_snapshots').select('account_id').where('next_at', '<=', BigInt(at)).orderBy('next_at').orderBy('account_id').limit(limit));
    return rows.map(({ account_id: id }) => id as AccountId);
  }

  private* claim(accountId: AccountId, at: Instant): Script<boolean> {
    return (yield* changesOf(this.queries.updateTable('credit_snapshots').set({ next_at: later(at, LEASE_MILLISECONDS) })
      .where('account_id', '=', accountId).where('next_at', '<=', BigInt(at)))) === 1;
  }

  private* derive(accountId: AccountId) {
    const row = yield* firstOf(this.queries.selectFrom('credit_snapshots').select(SNAPSHOT_COLUMNS).where('account_id', '=', storableText(accountId)));
    const previous = row === null ? FIRST_SNAPSHOT : snapshotFromRow(row);
    return { ...yield* deriveCredits(this.queries, accountId, previous), previous: previous.through };
  }

  /** Stores the snapshot, unless another process has stored a newer one. */
  private* keep(accountId: AccountId, snapshot: CreditSnapshot, previous: bigint): Script<void> {
    const row = snapshotToRow(snapshot);
    yield* changesOf(this.queries.insertInto('credit_snapshots').values({ account_id: accountId, next_at: null, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row).where('credit_snapshots.through_entry', '=', previous)));
  }

  /**
   * Books due expiries under the account's lock. Returns `false` if too many entries, of any account, follow the snapshot to read them in a
   * transaction, or if a request included in the snapshot was refunded.
   */
  private* settle(accountId: AccountId, { snapshot, previous, at }: { readonly snapshot: CreditSnapshot; readonly previous: bigint; readonly at: Instant }): Script<boolean> {
    const { queries } = this;
    const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select(['balance', 'reserved']).where('id', '=', accountId)));
    invariant(account !== null, 'an account with credits exists');
    yield* this.keep(accountId, snapshot, previous);
    const derived = yield* deriveFromRecent(queries, accountId, snapshot);
    if (derived === null) return false;
    const { left, through } = derived;
    const kept = yield* this.expireAll({ accountId, through, at }, left.left(), balanceFromRow(account));
    for (const credit of kept) yield* this.notice(accountId, credit, at);
    yield* changesOf(queries.updateTable('credit_snapshots').set({ next_at: nextCreditCheck(kept, at) }).where('account_id', '=', accountId));
    return true;
  }

  /** Books the expiries of credits that are due. Returns the credits of which something is left, including expired ones whose tokens are reserved. */
  private* expireAll(of: Omit<Expiring, 'credit'>, credits: readonly CreditLeft[], before: Balance): Script<readonly CreditLeft[]> {
    const kept: CreditLeft[] = [];
    let balance = before;
    for (const credit of credits) {
      const isExpired = credit.expiresAt !== null && credit.expiresAt <= of.at;
      const after: Balance | null = isExpired && !availableOf(balance).isZero() ? yield* this.book({ ...of, credit }, balance) : null;
      const left = after === null ? credit.left : credit.left.minus(balance.posted.minus(after.posted));
      balance = after ?? balance;
      if (!left.isZero()) kept.push({ ...credit, left });
    }
    return kept;
  }

  /** Books an expiry and, in the same transaction, stores the figures from which it was derived. */
  private* book(expiring: Expiring, balance: Balance): Script<Balance> {
    const { accountId, credit, through, at } = expiring;
    const act = expiryActOf(expiring);
    const outcome = yield* bookMoneyAct(this.queries, act);
    invariant(outcome.outcome === 'booked', `an expiry was derived under the lock of its account: ${outcome.outcome}`);
    yield* changesOf(this.queries.insertInto('credit_expiries').values({
      account_id: accountId, reference: act.reference, credit_entry: credit.entry, expires_at: credit.expiresAt ?? at, left_before: credit.left.toUnits(), available: availableOf(balance).toUnits(),
      through_entry: through, at,
    }));
    return outcome.balance;
  }

  /**
   * Stores the notice of a coming expiry once for each credit and number of days, even if several processes try. If a later notice is due already,
   * the earlier one is skipped.
   */
  private* notice(accountId: AccountId, credit: CreditLeft, at: Instant): Script<void> {
    const days: CreditNoticeDays | null = creditNoticeOf(credit, at);
    if (days === null) return;
    const isNew = (yield* changesOf(this.queries.insertInto('credit_notices').values({ account_id: accountId, credit_entry: credit.entry, days, at })
      .onConflict((conflict) => conflict.doNothing()))) === 1;
    if (isNew) yield* appendEvent(this.queries, creditExpiringEvent({ accountId, credit, days, at }));
  }
}
