import { expect, it } from '@jest/globals';
import type { MachineId, PersonId } from '@tollgate/core';
import { Gate } from '@tollgate/testkit';
import { RunningExports } from './usage-export.js';

it('a person or machine can run one export at a time, and can start another after one failed', async () => {
  const exports = new RunningExports();
  const gate = new Gate();
  const [machine, person] = ['mach_1' as MachineId, 'person_1' as PersonId];
  const running = exports.run(machine, async () => {
    await gate.opened;
    throw new Error('away');
  });
  await expect(exports.run(machine, () => Promise.resolve())).rejects.toMatchObject({ code: 'too_many_attempts' });
  await exports.run(person, () => Promise.resolve());
  gate.open();
  await expect(running).rejects.toThrow('away');
  await exports.run(machine, () => Promise.resolve());
});
