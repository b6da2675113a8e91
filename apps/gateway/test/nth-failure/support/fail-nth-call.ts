import { expect } from '@jest/globals';
import { type EndReason, ServiceTokens, type UsageRecord } from '@tollgate/core';
import type { FaultKind } from '@tollgate/testkit';
import { type SeenReply, send, type Sending } from './client.js';
import type { FaultyGateway } from './faulty-gateway.js';
import { PIECE, type Scenario } from './scenarios.js';

export interface Fault {
  readonly call: number;
  readonly kind: FaultKind;
  readonly delivery: 'stream' | 'whole';
}

/** A reply, and the usage record of its request; `null` if the request was refused. */
interface Told {
  readonly seen: SeenReply;
  readonly record: UsageRecord | null;
}

/** A request with one failing call. `again` is `null` if the request was not repeated; `struck` names the call, or is `null` if none failed. */
interface Attempt {
  readonly first: Told;
  readonly again: Told | null;
  readonly struck: string | null;
}

let attempts = 0;

async function ask(world: FaultyGateway, sending: Sending, number: number): Promise<SeenReply> {
  const asked = send(sending);
  await world.untilOver(number);
  return asked;
}

async function attempt(world: FaultyGateway, { format, script, prompt, client }: Scenario, { call, kind, delivery }: Fault): Promise<Attempt> {
  const { gateway, plan } = world;
  world.forgetRequests();
  gateway.provider.script('flooding', script);
  // With an idempotency key, a whole reply would be completed even after its client disconnected.
  const idempotencyKey = client === 'leaves' && delivery === 'whole' ? null : `attempt ${attempts}`;
  const isServed = (): boolean => gateway.provider.openStreams > 0;
  const sending = { url: gateway.url, format, key: world.caller.key, idempotencyKey, prompt, delivery, client, isServed };
  plan.arm(call, kind);
  const seen = await ask(world, sending, 1);
  await world.turn();
  plan.disarm();
  const seenAgain = idempotencyKey === null ? null : await ask(world, sending, 2);
  await world.recover();
  const [record = null, recordAgain = null] = await world.records();
  return { first: { seen, record }, again: seenAgain === null ? null : { seen: seenAgain, record: recordAgain }, struck: plan.struck };
}

/** Invariants I8 and I9: at least the relayed output is billed, and at most one piece more; the receipt equals the record. */
function checkRelayed({ seen, record }: Told, { delivery }: Fault): void {
  const billed = record?.usage.visibleOutputTokens ?? 0;
  const relayed = seen.isReplayed ? 0 : seen.characters;
  expect(billed).toBeGreaterThanOrEqual(relayed);
  if (delivery === 'stream') expect(billed).toBeLessThanOrEqual(relayed + PIECE);
  if (seen.debited !== null && !seen.isReplayed) expect(seen.debited).toBe(record?.charge.amount.toString());
}

const SERVED_TO_THE_END: readonly (EndReason | undefined)[] = ['completed', 'balance_exhausted'];

/**
 * Sends a request whose n-th port call fails, repeats the request under the same key, and lets all deadlines pass. After that, nothing may be
 * reserved or charged without a record, and the gateway must serve. Returns the failed call; `null` if the request made fewer.
 */
export async function failNthCall(world: FaultyGateway, scenario: Scenario, fault: Fault): Promise<string | null> {
  attempts += 1;
  await world.fillTo(scenario.available, `attempt ${attempts}`);
  const before = await world.balance();
  const { first, again, struck } = await attempt(world, scenario, fault);
  const after = await world.balance();
  const told = again === null ? [first] : [first, again];
  const charged = told.reduce((sum, { record }) => sum.plus(record?.charge.amount ?? ServiceTokens.ZERO), ServiceTokens.ZERO);
  const isStreamLost = struck === 'provider.open' && (fault.kind === 'after' || fault.kind === 'late');
  expect({
    struck,
    reserved: after.reserved.toString(),
    charged: before.posted.minus(after.posted).toString(),
    waiting: world.outbox.waiting,
    hasFreeSlot: await world.hasFreeSlot(),
    openStreams: isStreamLost ? 0 : world.gateway.provider.openStreams,
  }).toEqual({ struck, reserved: '0', charged: charged.toString(), waiting: 0, hasFreeSlot: true, openStreams: 0 });
  for (const one of told) checkRelayed(one, fault);
  // Of the requests with one key, at most one is served to its end.
  if (again !== null) expect(told.filter(({ record }) => SERVED_TO_THE_END.includes(record?.reason)).length).toBeLessThanOrEqual(1);
  if (struck === null) expect(first.record?.reason ?? null).toBe(scenario.endsAs?.[fault.delivery] ?? null);
  return struck;
}
