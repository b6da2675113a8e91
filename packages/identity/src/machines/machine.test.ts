import { expect, it } from '@jest/globals';
import { instant, type MachineId } from '@tollgate/core';
import { type Machine, machineActor, machineState } from './machine.js';

const MACHINE: Machine = {
  id: 'mach_1' as MachineId, name: 'Shop', hint: 'tgm_ab…wxyz', scopes: ['usage:read'], networks: [], createdAt: instant(0), expiresAt: instant(10), previousExpiresAt: null,
  revokedAt: null, lastUsedAt: null,
};

it('a machine acts under its own id in the audit log', () => {
  expect(machineActor(MACHINE, '192.0.2.7')).toEqual({ kind: 'machine', id: 'machine:mach_1', origin: { place: 'gateway', user: null, address: '192.0.2.7', via: null } });
});

it.each([
  [MACHINE, 9, 'active'], [MACHINE, 10, 'expired'], [{ ...MACHINE, revokedAt: instant(5) }, 9, 'revoked'], [{ ...MACHINE, revokedAt: instant(5) }, 10, 'revoked'],
] as const)('the machine %j is, at %i, %s', (machine, at, state) => {
  expect(machineState(machine, instant(at))).toBe(state);
});
