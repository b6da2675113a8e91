import { type AccountEntry, type AccountId, creditMovementOf, type CreditLeft, CreditsLeft, invariant, MILLISECONDS_PER_DAY, type RequestId, ServiceTokens } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, type Script } from '../script/script.js';
import { chargesAmongNewest, chargesSince, isChargedThrough, moneyActsAfter, newestEntry } from './account-entries.js';
import { type CreditSnapshot, FIRST_SNAPSHOT } from './credit-snapshot-rows.js';

/** Requests that end longer before the snapshot than this are looked for only if the balance shows that one is missing. */
const LOOK_BACK = BigInt(2 * MILLISECONDS_PER_DAY);

/** In one transaction; more is left to a new snapshot. */
const MAX_NEW_ENTRIES = 2_000;
/** Entries that other transactions may have numbered before, and committed after, the snapshot. */
const NUMBERED_EARLIER = 1_000n;

export interface DerivedCredits {
  readonly left: CreditsLeft;
  readonly through: bigint;
  /** Of the entries after the snapshot. */
  readonly newEntries: number;
  readonly endedThrough: bigint;
}

function refundedRequests(entries: readonly AccountEntry[]): readonly RequestId[] {
  return entries.flatMap(({ kind, requestId }) => (kind === 'refund' && requestId !== null ? [requestId] : []));
}

/** Replays entries in their order, from a snapshot. */
export function replayEntries(snapshot: CreditSnapshot, given: readonly AccountEntry[], onEntry: (entry: AccountEntry, before: CreditsLeft) => void = () => undefined): DerivedCredits {
  const entries = given.toSorted((one, other) => (one.entry < other.entry ? -1 : 1));
  const left = new CreditsLeft(new Set(refundedRequests(entries)), snapshot.credits);
  let { endedThrough } = snapshot;
  for (const entry of entries) {
    onEntry(entry, left);
    left.apply(creditMovementOf(entry));
    if (entry.kind === 'charge' && BigInt(entry.at) > endedThrough) endedThrough = BigInt(entry.at);
  }
  return { left, through: entries.at(-1)?.entry ?? snapshot.through, newEntries: entries.length, endedThrough };
}

export function sumOf(credits: readonly Pick<CreditLeft, 'left'>[]): ServiceTokens {
  return credits.reduce((sum, { left }) => sum.plus(left), ServiceTokens.ZERO);
}

function balanceAfter(snapshot: CreditSnapshot, entries: readonly AccountEntry[]): bigint {
  return entries.reduce((sum, { isCredit, amount }) => sum + (isCredit ? amount.toUnits() : -amount.toUnits()), sumOf(snapshot.credits).toUnits());
}

/** All entries of the account after the snapshot, which add up to its balance: acts that are no charges are all found, so that no charge is missing. */
function* entriesAfter(queries: Queries, accountId: AccountId, snapshot: CreditSnapshot): Script<readonly AccountEntry[]> {
  const after = { accountId, after: snapshot.through };
  const acts = yield* moneyActsAfter(queries, after);
  const balance = yield* balanceOf(queries, accountId);
  if (snapshot.endedThrough > LOOK_BACK) {
    const entries = [...acts, ...yield* chargesSince(queries, after, snapshot.endedThrough - LOOK_BACK)];
    if (balanceAfter(snapshot, entries) === balance) return entries;
  }
  const entries = [...acts, ...yield* chargesSince(queries, after, 0n)];
  invariant(balanceAfter(snapshot, entries) === balance, 'the entries of an account add up to its balance');
  return entries;
}

function* balanceOf(queries: Queries, accountId: AccountId): Script<bigint> {
  const row = yield* firstOf(queries.selectFrom('accounts').select('balance').where('id', '=', accountId));
  return row?.balance ?? 0n;
}

/** All entries of the account from the first one. */
export function* allEntries(queries: Queries, accountId: AccountId): Script<readonly AccountEntry[]> {
  const after = { accountId, after: 0n };
  return [...yield* moneyActsAfter(queries, after), ...yield* chargesSince(queries, after, 0n)];
}

/**
 * What is left of each credit, from a consistent state of the database. Continues from the snapshot, unless a request in it was refunded: which
 * credits paid for a request is not in the snapshot.
 */
export function* deriveCredits(queries: Queries, accountId: AccountId, given: CreditSnapshot): Script<{ readonly derived: DerivedCredits; readonly snapshot: CreditSnapshot }> {
  const newest = yield* newestEntry(queries);
  const found = yield* entriesAfter(queries, accountId, given);
  const isWhole = !(yield* isChargedThrough(queries, refundedRequests(found), given.through));
  const derived = isWhole ? replayEntries(given, found) : replayEntries(FIRST_SNAPSHOT, yield* entriesAfter(queries, accountId, FIRST_SNAPSHOT));
  return { derived, snapshot: { credits: derived.left.left(), through: derived.through, newestEntry: newest, endedThrough: derived.endedThrough } };
}

/**
 * The same under the account's lock, from a recent snapshot. `null` if that takes more than a bounded number of entries. Acts that are no charges
 * are all found, and each charge lowers the balance, so that a sum that equals the balance has all of them.
 */
export function* deriveFromRecent(queries: Queries, accountId: AccountId, snapshot: CreditSnapshot): Script<DerivedCredits | null> {
  const after = { accountId, after: snapshot.through };
  const acts = yield* moneyActsAfter(queries, after, MAX_NEW_ENTRIES);
  const from = snapshot.newestEntry > NUMBERED_EARLIER ? snapshot.newestEntry - NUMBERED_EARLIER : 0n;
  const entries = [...acts, ...yield* chargesAmongNewest(queries, { ...after, from, most: MAX_NEW_ENTRIES })];
  if (balanceAfter(snapshot, entries) !== (yield* balanceOf(queries, accountId))) return null;
  return (yield* isChargedThrough(queries, refundedRequests(acts), snapshot.through)) ? null : replayEntries(snapshot, entries);
}
