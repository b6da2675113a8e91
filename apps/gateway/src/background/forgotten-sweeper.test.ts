import { expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { type HeldRequest, RunningGenerations } from '@tollgate/core';
import { OWNER, reservationId, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { FORGOTTEN_LOOK_MILLISECONDS, ForgottenSweeper, ON_ITS_WAY_MILLISECONDS } from './forgotten-sweeper.js';

it('a reservation without a running request is ended and logged once it is a minute old', async () => {
  const [clock, store, running] = [new ManualClock(STORE_NOON), createMemoryStore(), new RunningGenerations()];
  const logged: Record<string, unknown>[] = [];
  const driver = await StoreDriver.start(() => store);
  await driver.credit('100');
  await driver.reserve(1, '10', { at: STORE_NOON });
  await driver.reserve(2, '10', { at: STORE_NOON });
  running.add({ reservationId: reservationId(2) } as HeldRequest);
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const sweeper = new ForgottenSweeper({ ledger: store.ledger, running, processId: OWNER, clock, log });
  sweeper.start();
  await clock.advanceAsync(ON_ITS_WAY_MILLISECONDS);
  expect([await driver.balance(), logged]).toEqual(['100/20/80', []]);
  await clock.advanceAsync(FORGOTTEN_LOOK_MILLISECONDS);
  expect(await driver.balance()).toBe('100/10/90');
  expect(logged).toEqual([expect.objectContaining({ level: 40, process: OWNER, ended: 1, msg: expect.stringContaining('without a running request') })]);
  await sweeper.stop();
  expect(clock.pendingTasks).toBe(0);
});
