import { GatewayError, type Instant, type MachineId, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { type IssuedMachine, type Machine, machineState, MAX_MACHINES } from '@tollgate/identity';
import { encodeMachine } from '@tollgate/wire-kit';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { instantOf } from '../call/read-fields.js';

export function machineEndpoints({ machines, clock }: Pick<DashboardPorts, 'machines' | 'clock'>): readonly DashboardEndpoint[] {
  const by = (call: DashboardCall) => ({ actor: actorOf(call, 'operator'), at: clock.now() });
  return [
    endpoint(contract.listMachines)(async () => {
      const all = await machines.list();
      const now = clock.now();
      return { object: 'list', data: all.map((machine) => encode(machine, now)), has_more: false, grantable_scopes: machines.grantableScopes };
    }),
    endpoint(contract.createMachine)(async ({ body: { name, scopes, networks, expires_at: expiresAt }, call }) => {
      const act = by(call);
      const made = await machines.create({ name, scopes, networks, expiresAt: instantOf(expiresAt) }, act);
      if (made.outcome === 'too-many') throw new GatewayError('conflict', `There are already ${MAX_MACHINES} active machines, the maximum. Revoke one first.`);
      return encodeIssued(made.issued, act.at);
    }),
    endpoint(contract.rotateMachine)(async ({ params: { id }, body: { overlap_hours: hours, expires_at: expiresAt }, call }) => {
      const act = by(call);
      const rotated = await machines.rotate({ id: id as MachineId, overlapMilliseconds: hours * MILLISECONDS_PER_HOUR, expiresAt: instantOf(expiresAt) }, act);
      if (rotated.outcome === 'no-such-machine') throw noSuchMachine(id);
      return encodeIssued(rotated.issued, act.at);
    }),
    endpoint(contract.revokeMachine)(async ({ params: { id }, call }) => {
      if (!await machines.revoke(id as MachineId, by(call))) throw noSuchMachine(id);
    }),
  ];
}

function noSuchMachine(id: string): GatewayError {
  return new GatewayError('not_found', `There is no machine ${id}, or it is revoked.`);
}

function encode(machine: Machine, now: Instant) {
  return encodeMachine(machine, machineState(machine, now));
}

/** The only answers with the secret of a machine. */
function encodeIssued({ machine, secret }: IssuedMachine, now: Instant): ReplyOf<typeof contract.createMachine> {
  return { ...encode(machine, now), secret: secret.reveal() };
}
