import { expect } from '@jest/globals';
import { outputTokensOf, type UsageRecord } from '@tollgate/core';
import { patiently } from './patiently.js';
import { ask, type Outcome } from './ask.js';
import { type FaultWorld, PIECES, REPLY, SLOTS } from './fault-world.js';

const MAX_PIECE = Math.max(...PIECES.map(({ length }) => length));

/** Invariant I9: the receipt, the usage record and the ledger state the same charge. */
function receiptProblems({ requestId, debited }: Outcome, record: UsageRecord | null, charged: string | undefined): readonly string[] {
  if (debited === null) return [];
  const said = [debited, record?.charge.amount.toString(), charged];
  return new Set(said).size === 1 ? [] : [`I9: ${requestId}: the client, the record and the ledger say ${said.join(', ')}`];
}

/** Invariant I8: all received output is billed, and at most one piece more; a completed reply is billed as a whole. */
function outputProblems({ requestId, text }: Outcome, record: UsageRecord | null): readonly string[] {
  if (text === '') return [];
  const billed = record === null ? -1 : outputTokensOf(record.usage);
  const isBounded = billed <= text.length + MAX_PIECE || (record?.reason === 'completed' && billed === REPLY.length);
  return billed >= text.length && isBounded ? [] : [`I8: ${requestId}: ${text.length} tokens relayed, ${billed} billed`];
}

async function fallbacks(world: FaultWorld): Promise<number> {
  const counts = await Promise.all(world.gateways.map((gateway) => world.metric('tollgate_limiter_fallbacks_total', gateway)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Fills all slots of the account, then sends one request more. */
async function fillSlots(world: FaultWorld): Promise<{ readonly failed: readonly Outcome[]; readonly beyond: Outcome }> {
  world.hold();
  const urls = world.sharesLimits ? world.urls : [world.first.url];
  const asked = Array.from({ length: SLOTS }, (_, number) => (
    ask({ url: urls[number % urls.length] ?? '', key: world.caller.key, model: 'halting', number })));
  let isRefused = false;
  const noteEnd = (): void => {
    isRefused = true;
  };
  for (const request of asked) void request.then(noteEnd, noteEnd);
  await patiently(async () => isRefused || await world.held() === SLOTS);
  const beyond = await ask({ url: world.first.url, key: world.caller.key, model: 'small', number: 0 });
  world.release();
  return { failed: (await Promise.all(asked)).filter(({ code }) => code !== null), beyond };
}

/** Invariant I13: all slots are free. Tries again while a gateway that was paused still considers Redis unavailable. */
async function assertSlotsAreBack(world: FaultWorld): Promise<void> {
  for (;;) {
    const before = await fallbacks(world);
    const { failed, beyond } = await fillSlots(world);
    expect(failed).toEqual([]);
    if (await fallbacks(world) > before) continue;
    expect([beyond.status, beyond.code, beyond.retryAfter]).toEqual([429, 'concurrency_limit_exceeded', expect.stringMatching(/^\d+$/)]);
    return;
  }
}

/**
 * Asserts after a fault: reservations are released without a further request, all slots are free, every invariant holds and held throughout, and
 * clients' receipts equal the billed amounts.
 */
export async function assertSound(world: FaultWorld, outcomes: readonly Outcome[]): Promise<void> {
  await patiently(async () => await world.held() === 0);
  await assertSlotsAreBack(world);
  await patiently(async () => await world.held() === 0);
  await world.watch.stop();
  expect(world.watch.violations).toEqual([]);
  expect(world.watch.audits).toBeGreaterThan(1);
  const charged = await world.charged(outcomes);
  const problems = await Promise.all(outcomes.map(async (outcome, place) => {
    const record = await world.record(outcome.requestId);
    return [...receiptProblems(outcome, record, charged[place]), ...outputProblems(outcome, record)];
  }));
  expect(problems.flat()).toEqual([]);
  // Each request that reached a provider had a reservation, so it must have a record.
  const served = new Set(world.provider.calls.map(({ requestId }) => requestId));
  expect(await world.records()).toBeGreaterThanOrEqual(served.size);
  expect(await world.auditor.auditTrail.verifyAuditTrail()).toMatchObject({ firstBrokenEntry: null });
}
