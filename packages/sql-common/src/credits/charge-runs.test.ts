import { describe, expect, it } from '@jest/globals';
import { type AccountEntry, instant, type RequestId, ServiceTokens } from '@tollgate/core';
import { randomFrom } from '@tollgate/testkit';
import { ChargeRuns } from './charge-runs.js';
import { FIRST_SNAPSHOT } from './credit-snapshot-rows.js';
import { replayEntries, runBoundsOf } from './derive-credits.js';

function anEntry(entry: number, differences: Partial<AccountEntry>): AccountEntry {
  return { entry: BigInt(entry), kind: 'charge', isCredit: false, amount: ServiceTokens.fromUnits(1n), requestId: `req_${entry}` as RequestId, reference: null, expiresAt: null, at: instant(entry), ...differences };
}

/** Entries of credits, some of which expire, of refunds, and of charges, which are booked up to 20 ms late. The charges never exceed the credits. */
function randomLedger(seed: number): readonly AccountEntry[] {
  const random = randomFrom(seed);
  const entries: AccountEntry[] = [];
  const charges: AccountEntry[] = [];
  let balance = 0;
  for (let entry = 1; entry <= 120; entry += 1) {
    const cost = 1 + random(4);
    const charge = charges[random(Math.max(1, charges.length))];
    if (random(8) === 0 || balance < cost) {
      balance += 40;
      entries.push(anEntry(entry, { kind: 'top-up', isCredit: true, requestId: null, amount: ServiceTokens.fromUnits(40n), reference: `credit ${entry}`, expiresAt: random(3) === 0 ? null : instant(entry + random(60)) }));
    } else if (random(20) === 0 && charge !== undefined) {
      charges.splice(charges.indexOf(charge), 1);
      balance += Number(charge.amount.toUnits());
      entries.push(anEntry(entry, { kind: 'refund', isCredit: true, requestId: charge.requestId, amount: charge.amount, reference: `refund ${entry}` }));
    } else {
      balance -= cost;
      charges.push(anEntry(entry, { kind: random(6) === 0 ? 'late-charge' : 'charge', amount: ServiceTokens.fromUnits(BigInt(cost)), at: instant(Math.max(0, entry - random(2) * random(20))) }));
      entries.push(charges.at(-1) ?? anEntry(entry, {}));
    }
  }
  return entries;
}

function folded(entries: readonly AccountEntry[]): readonly AccountEntry[] {
  const [acts, charges] = [entries.filter(({ kind }) => !kind.endsWith('charge')), entries.filter(({ kind }) => kind.endsWith('charge'))];
  const refunded = new Set(acts.flatMap(({ kind, requestId }) => (kind === 'refund' ? [requestId] : [])));
  const apart = charges.flatMap(({ requestId, entry }) => (refunded.has(requestId) ? [entry] : []));
  const runs = new ChargeRuns(runBoundsOf({ snapshot: FIRST_SNAPSHOT, acts, cuts: apart }));
  for (const charge of charges.toReversed()) runs.add(charge);
  return [...acts, ...runs.entries()];
}

describe('runs of charges', () => {
  it('leave as much of each credit as single charges do, even with late charges', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const entries = randomLedger(seed);
      const [each, runs] = [replayEntries(FIRST_SNAPSHOT, entries), replayEntries(FIRST_SNAPSHOT, folded(entries))];
      expect([seed, runs.left.left()]).toEqual([seed, each.left.left()]);
      expect([seed, runs.through, runs.endedThrough]).toEqual([seed, each.through, each.endedThrough]);
    }
  });

  it('are at most one between two entries of other kinds or expiries, however many charges there are', () => {
    const acts = [anEntry(1, { kind: 'top-up', isCredit: true, expiresAt: instant(60_000) }), anEntry(30_000, { kind: 'top-up', isCredit: true })];
    const runs = new ChargeRuns(runBoundsOf({ snapshot: FIRST_SNAPSHOT, acts, cuts: [] }));
    for (let entry = 2; entry < 100_000; entry += 1) if (entry !== 30_000) runs.add(anEntry(entry, {}));
    expect(runs.entries().map(({ entry, amount }) => [entry, amount.toUnits()])).toEqual([[29_999n, 29_998n], [59_999n, 29_999n], [99_999n, 40_000n]]);
    expect(runs.charges).toBe(99_997);
  });
});
