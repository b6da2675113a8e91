import { expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { later, SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import { anAccount, changeStanding } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { BlockExpiry, EXPIRY_LOOK_MILLISECONDS } from './block-expiry.js';

it('a block of an account ends when it expires, even if it was created after the expiry task started', async () => {
  const clock = new ManualClock();
  const { accounts, controls, platform } = createMemoryStore();
  const from = anAccount();
  await accounts.create(from, SYSTEM_ACTOR);
  const expiry = new BlockExpiry({ platform, controls, clock, log: createLog('silent', { write: () => undefined }) });
  expiry.start();
  const endsAt = later(clock.now(), 2 * EXPIRY_LOOK_MILLISECONDS + 300);
  const by = { actor: SYSTEM_ACTOR, at: clock.now() };
  await accounts.moveStanding(from.id, { from, to: { ...from, blocked: true }, action: 'account.blocked', terms: { reason: null, expiresAt: endsAt } }, by);
  await controls.blockNetwork('192.0.2.0/24', UNTIL_UNBLOCKED, by);
  const isBlocked = async () => (await accounts.findById(from.id))?.blocked;
  for (let step = 0; step < 2; step += 1) {
    clock.advance(EXPIRY_LOOK_MILLISECONDS);
    await new Promise(setImmediate);
  }
  clock.advance(299);
  await new Promise(setImmediate);
  expect(await isBlocked()).toBe(true);
  clock.advance(1);
  await new Promise(setImmediate);
  expect(await isBlocked()).toBe(false);
  expect(await controls.listBlocks({ limit: 10, after: null, now: clock.now() })).toHaveLength(1);
  await changeStanding(accounts, from.id, { blocked: true }, by);
  clock.advance(10 * EXPIRY_LOOK_MILLISECONDS);
  await new Promise(setImmediate);
  expect(await isBlocked()).toBe(true);
  await expiry.stop();
});
