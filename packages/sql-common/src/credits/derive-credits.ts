import { type AccountEntry, type AccountId, creditMovementOf, type CreditLeft, CreditsLeft, type Instant, invariant, MILLISECONDS_PER_DAY, type RequestId, ServiceTokens } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, type Script } from '../script/script.js';
import { chargesAmongNewest, entriesOfRequests, isChargedThrough, moneyActsAfter, newestEntry, readCharges } from './account-entries.js';
import { ChargeRuns, type RunBounds } from './charge-runs.js';
import { type CreditSnapshot, FIRST_SNAPSHOT } from './credit-snapshot-rows.js';

/** Requests that ended more than this before the snapshot's `endedThrough` are read only if the balance shows that a charge is missing. */
const LOOK_BACK = BigInt(2 * MILLISECONDS_PER_DAY);

/** Maximum entries read in a writing transaction. If there are more, a newer snapshot is derived first. */
const MAX_NEW_ENTRIES = 2_000;
/** Maximum number of entries that other transactions numbered before the snapshot but committed after it. */
const NUMBERED_EARLIER = 1_000n;

export interface DerivedCredits {
  readonly left: CreditsLeft;
  readonly through: bigint;
  readonly endedThrough: bigint;
}

/** Entries that have the same effect on credits as all entries of the account. Charges are added up in runs. */
interface ReadEntries {
  readonly entries: readonly AccountEntry[];
  /** Number of ledger entries read, including those that are added up. */
  readonly read: number;
}

function refundedRequests(entries: readonly AccountEntry[]): readonly RequestId[] {
  return entries.flatMap(({ kind, requestId }) => (kind === 'refund' && requestId !== null ? [requestId] : []));
}

/** Applies entries to a snapshot, in the order of their numbers. */
export function replayEntries(snapshot: CreditSnapshot, given: readonly AccountEntry[], onEntry: (entry: AccountEntry, before: CreditsLeft) => void = () => undefined): DerivedCredits {
  const entries = given.toSorted((one, other) => (one.entry < other.entry ? -1 : 1));
  const left = new CreditsLeft(new Set(refundedRequests(entries)), snapshot.credits);
  let { endedThrough } = snapshot;
  for (const entry of entries) {
    onEntry(entry, left);
    left.apply(creditMovementOf(entry));
    if (entry.kind === 'charge' && BigInt(entry.at) > endedThrough) endedThrough = BigInt(entry.at);
  }
  return { left, through: entries.at(-1)?.entry ?? snapshot.through, endedThrough };
}

export function sumOf(credits: readonly Pick<CreditLeft, 'left'>[]): ServiceTokens {
  return credits.reduce((sum, { left }) => sum.plus(left), ServiceTokens.ZERO);
}

function balanceAfter(snapshot: CreditSnapshot, entries: readonly AccountEntry[]): bigint {
  return entries.reduce((sum, { isCredit, amount }) => sum + (isCredit ? amount.toUnits() : -amount.toUnits()), sumOf(snapshot.credits).toUnits());
}

interface RunSource {
  readonly snapshot: CreditSnapshot;
  readonly acts: readonly AccountEntry[];
  /** Ledger numbers of entries at which a run of charges must end, besides those of `acts`. */
  readonly cuts: readonly bigint[];
}

export function runBoundsOf({ snapshot, acts, cuts }: RunSource): RunBounds {
  const expiries = [...snapshot.credits, ...acts].map(({ expiresAt }) => expiresAt).filter((expiresAt): expiresAt is Instant => expiresAt !== null);
  const separators = [...acts.map(({ entry }) => entry), ...cuts];
  return { separators: separators.toSorted((one, other) => (one < other ? -1 : 1)), expiries: expiries.toSorted((one, other) => one - other), apart: new Set(refundedRequests(acts)) };
}

interface RunsToRead extends RunSource {
  readonly accountId: AccountId;
  readonly since: bigint;
}

function* readRuns(queries: Queries, { accountId, since, ...source }: RunsToRead): Script<ReadEntries> {
  const runs = new ChargeRuns(runBoundsOf(source));
  yield* readCharges(queries, { accountId, after: source.snapshot.through, since, onCharge: (charge) => runs.add(charge) });
  return { entries: [...source.acts, ...runs.entries()], read: source.acts.length + runs.charges };
}

/**
 * Entries of the account after the snapshot. Charges of requests that ended long before it are read only if the other entries do not add up to the
 * balance.
 */
function* entriesAfter(queries: Queries, accountId: AccountId, snapshot: CreditSnapshot): Script<ReadEntries> {
  const acts = yield* moneyActsAfter(queries, { accountId, after: snapshot.through });
  const source = { accountId, snapshot, acts, cuts: yield* entriesOfRequests(queries, refundedRequests(acts)) };
  const balance = yield* balanceOf(queries, accountId);
  if (snapshot.endedThrough > LOOK_BACK) {
    const found = yield* readRuns(queries, { ...source, since: snapshot.endedThrough - LOOK_BACK });
    if (balanceAfter(snapshot, found.entries) === balance) return found;
  }
  const found = yield* readRuns(queries, { ...source, since: 0n });
  invariant(balanceAfter(snapshot, found.entries) === balance, 'the entries of an account add up to its balance');
  return found;
}

function* balanceOf(queries: Queries, accountId: AccountId): Script<bigint> {
  const row = yield* firstOf(queries.selectFrom('accounts').select('balance').where('id', '=', accountId));
  return row?.balance ?? 0n;
}

/** All entries of the account. No run crosses the entry `cut`. */
export function* allEntries(queries: Queries, accountId: AccountId, cut: bigint): Script<readonly AccountEntry[]> {
  const acts = yield* moneyActsAfter(queries, { accountId, after: 0n });
  const { entries } = yield* readRuns(queries, { accountId, since: 0n, snapshot: FIRST_SNAPSHOT, acts, cuts: [cut, ...yield* entriesOfRequests(queries, refundedRequests(acts))] });
  return entries;
}

/**
 * Derives what is left of each credit, from a consistent state of the database. Continues from the given snapshot, unless a request included in it
 * was refunded: the snapshot does not contain which credits paid for a request.
 */
export function* deriveCredits(queries: Queries, accountId: AccountId, given: CreditSnapshot): Script<{ readonly newEntries: number; readonly snapshot: CreditSnapshot }> {
  const newest = yield* newestEntry(queries);
  const since = yield* entriesAfter(queries, accountId, given);
  const isWhole = !(yield* isChargedThrough(queries, refundedRequests(since.entries), given.through));
  const { entries, read } = isWhole ? since : yield* entriesAfter(queries, accountId, FIRST_SNAPSHOT);
  const derived = replayEntries(isWhole ? given : FIRST_SNAPSHOT, entries);
  return { newEntries: read, snapshot: { credits: derived.left.left(), through: derived.through, newestEntry: newest, endedThrough: derived.endedThrough } };
}

/**
 * Like `deriveCredits`, under the account's lock and from a recent snapshot. Returns `null` if this requires too many entries, or if a request
 * included in the snapshot was refunded. Unless there are too many, all acts of money are found, and each missing charge would raise the sum; so none
 * is missing if the sum equals the balance.
 */
export function* deriveFromRecent(queries: Queries, accountId: AccountId, snapshot: CreditSnapshot): Script<DerivedCredits | null> {
  const after = { accountId, after: snapshot.through };
  const acts = yield* moneyActsAfter(queries, after, MAX_NEW_ENTRIES);
  const from = snapshot.newestEntry > NUMBERED_EARLIER ? snapshot.newestEntry - NUMBERED_EARLIER : 0n;
  const entries = [...acts, ...yield* chargesAmongNewest(queries, { ...after, from, most: MAX_NEW_ENTRIES })];
  if (balanceAfter(snapshot, entries) !== (yield* balanceOf(queries, accountId))) return null;
  return (yield* isChargedThrough(queries, refundedRequests(acts), snapshot.through)) ? null : replayEntries(snapshot, entries);
}
