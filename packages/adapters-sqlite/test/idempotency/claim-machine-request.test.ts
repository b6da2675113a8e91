import { expect, it } from '@jest/globals';
import { type MachineClaim, type MachineId, MAX_CLAIMS_OF_MACHINE, type RequestId } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile } from '../../src/test-support/stores.js';

function claimOf(key: string, machineId = 'mach_1'): MachineClaim {
  return { machineId: machineId as MachineId, key, fingerprint: 'f', requestId: `req_${key}` as RequestId };
}

it('keeps the maximum number of claims of a machine, and deletes the oldest one when another is added', async () => {
  const place = storeFile();
  const store = await place.open();
  const claim = (...of: Parameters<typeof claimOf>) => store.machineClaims.storeAnswer(claimOf(...of), { status: 200, body: '', accountId: null }, STORE_NOON);
  const isKept = async (...of: Parameters<typeof claimOf>) => await store.machineClaims.find(claimOf(...of), STORE_NOON) !== null;
  for (const key of ['first', 'second']) await claim(key);
  await claim('first', 'mach_2');
  // Stands for the claims between the first and the last one.
  const direct = new Database(place.file);
  direct.prepare("UPDATE machine_requests SET number = ? WHERE key = 'second'").run(MAX_CLAIMS_OF_MACHINE - 1);
  direct.close();
  await claim('third');
  expect([await isKept('first'), await isKept('second')]).toEqual([true, true]);
  await claim('fourth');
  expect([await isKept('first'), await isKept('second'), await isKept('third'), await isKept('first', 'mach_2')]).toEqual([false, true, true, true]);
  await store.close();
  place.remove();
});
