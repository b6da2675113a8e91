import { type AccountEntry, type AccountId, creditEntryOf, type CreditLeft, type CreditsLeft, type LedgerDifference, rfc3339, ServiceTokens } from '@tollgate/core';
import { sql } from 'kysely';
import { creditsFromColumn, creditsToColumn, FIRST_SNAPSHOT, SNAPSHOT_COLUMNS } from '../credits/credit-snapshot-rows.js';
import { allEntries, replayEntries } from '../credits/derive-credits.js';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';

const ACCOUNTS_PER_READ = 100;

interface Proof {
  readonly reference: string;
  readonly credit_entry: bigint;
  readonly expires_at: bigint;
  readonly left_before: bigint;
  readonly available: bigint;
  readonly at: bigint;
}

/** I18: each booked expiry and each snapshot equals one that is derived again. */
export function* compareCredits(queries: Queries, maximumDifferences: number): Script<readonly LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  for (let after = ''; ;) {
    const accounts = yield* accountsAfter(queries, after);
    for (const accountId of accounts) differences.push(...yield* compareAccount(queries, accountId));
    const last = accounts.at(-1);
    if (last === undefined || accounts.length < ACCOUNTS_PER_READ || differences.length >= maximumDifferences) return differences.slice(0, maximumDifferences);
    after = last;
  }
}

/** Next accounts that have a credit snapshot, an expiry in the ledger, or a row in `credit_expiries`. */
function* accountsAfter(queries: Queries, after: string): Script<readonly AccountId[]> {
  const rows = yield* rowsOf(compilable(queries, sql<{ readonly account: string }>`select distinct account from (
    select account_id as account from credit_snapshots union all select account_id from credit_expiries
    union all select ${CUSTOMER} from ledger_entries where reservation_id is null and kind = 'expiry') found
    where account > ${after} order by account limit ${sql.lit(ACCOUNTS_PER_READ)}`));
  return rows.map(({ account }) => account as AccountId);
}

function* compareAccount(queries: Queries, accountId: AccountId): Script<readonly LedgerDifference[]> {
  const proofs = yield* rowsOf(queries.selectFrom('credit_expiries').select(['reference', 'credit_entry', 'expires_at', 'left_before', 'available', 'at']).where('account_id', '=', accountId));
  const snapshot = yield* firstOf(queries.selectFrom('credit_snapshots').select(SNAPSHOT_COLUMNS).where('account_id', '=', accountId));
  const entries = yield* allEntries(queries, accountId, snapshot?.through_entry ?? 0n);
  const check = new AccountCheck(proofs, snapshot === null || snapshot.through_entry === 0n ? null : snapshot);
  check.replay(entries);
  return check.differences.map((difference) => ({ invariant: 'I18', accountId, ...difference }));
}

type Difference = Pick<LedgerDifference, 'expected' | 'found'>;

function shownCredit({ entry, expiresAt, left }: CreditLeft): string {
  return `credit ${entry}${expiresAt === null ? '' : ` until ${rfc3339(expiresAt)}`} with ${left.toString()} left`;
}

function shownColumn(credits: string): readonly string[] {
  try {
    return creditsFromColumn(credits).map(shownCredit);
  } catch {
    return ['a snapshot that cannot be read'];
  }
}

function firstDifference(expected: readonly string[], found: readonly string[]): readonly [expected: string, found: string] {
  const place = expected.findIndex((text, index) => text !== found[index]);
  return place === -1 ? ['no further credit', found[expected.length] ?? 'other words'] : [expected[place] ?? '', found[place] ?? 'no such credit'];
}

/** Replays all entries of one account. */
class AccountCheck {
  readonly differences: Difference[] = [];
  readonly #proofs: ReadonlyMap<string, Proof>;
  readonly #proven = new Set<string>();
  #isCompared = false;

  constructor(proofs: readonly Proof[], private readonly snapshot: { readonly through_entry: bigint; readonly credits: string } | null) {
    this.#proofs = new Map(proofs.map((proof) => [proof.reference, proof]));
  }

  replay(entries: readonly AccountEntry[]): void {
    try {
      const { left } = replayEntries(FIRST_SNAPSHOT, entries, (entry, before) => this.#look(entry, before));
      if (this.snapshot !== null && !this.#isCompared) this.#compareSnapshot(left);
    } catch (thrown) {
      this.#differ('entries that credits pay for', thrown instanceof Error ? thrown.message : 'other entries');
    }
    for (const { reference } of this.#proofs.values()) if (!this.#proven.has(reference)) this.#differ(`the entry ${reference}`, 'no entry');
  }

  #look(entry: AccountEntry, before: CreditsLeft): void {
    if (this.snapshot !== null && !this.#isCompared && entry.entry > this.snapshot.through_entry) this.#compareSnapshot(before);
    if (entry.kind === 'expiry') this.#compareExpiry(entry, before);
  }

  #compareSnapshot(derived: CreditsLeft): void {
    this.#isCompared = true;
    const { credits = '', through_entry: through = 0n } = this.snapshot ?? {};
    if (creditsToColumn(derived.left()) === credits) return;
    const [expected, found] = firstDifference(derived.left().map(shownCredit), shownColumn(credits));
    this.#differ(`${expected} after entry ${through}`, found);
  }

  #compareExpiry({ reference, amount, at }: AccountEntry, before: CreditsLeft): void {
    const key = reference ?? '';
    const proof = this.#proofs.get(key);
    this.#proven.add(key);
    const credit = before.expired(at).find(({ entry }) => entry === creditEntryOf(key));
    const left = credit?.left.toUnits() ?? 0n;
    const most = proof === undefined || proof.available > left ? left : proof.available;
    const expected = `expiry of ${ServiceTokens.fromUnits(most).toString()}`;
    if (most !== amount.toUnits()) this.#differ(`${expected} by ${key}`, `expiry of ${amount.toString()}`);
    const agrees = proof !== undefined && proof.credit_entry === credit?.entry && proof.left_before === left && proof.expires_at === BigInt(credit.expiresAt ?? -1) && proof.at === BigInt(at);
    if (!agrees) this.#differ(`figures of ${ServiceTokens.fromUnits(left).toString()} left for ${key}`, proof === undefined ? 'no figures' : `${ServiceTokens.fromUnits(proof.left_before).toString()} left`);
  }

  #differ(expected: string, found: string): void {
    this.differences.push({ expected, found });
  }
}
