import { maintenanceStateAt, rfc3339 } from '@tollgate/core';
import { adminContract, type ReplyOf } from '@tollgate/api-contract';
import { machineState } from '@tollgate/identity';
import { encodeMachine, encodeModel, encodePlan, encodePriceList } from '@tollgate/wire-kit';
import { machineOf } from '../call/admin-call.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

/** Endpoints for the calling machine, and for the models, settings and state of the service. */
export function serviceEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { catalogue: source, clock } = ports;
  return [
    adminEndpoint(adminContract.readMachine)(({ exchange }) => {
      const machine = machineOf(exchange.res);
      return Promise.resolve(encodeMachine(machine, machineState(machine, clock.now())));
    }),
    adminEndpoint(adminContract.listModels)(async () => {
      const catalogue = source.current().inForce(null, clock.now());
      return { object: 'list', data: catalogue.models.map((model) => encodeModel(model, catalogue)), has_more: false, next_cursor: null };
    }),
    adminEndpoint(adminContract.listPlans)(async () => ({ object: 'list', data: source.current().plans.map(encodePlan), has_more: false, next_cursor: null })),
    adminEndpoint(adminContract.listPriceLists)(async () => ({ object: 'list', data: source.current().priceLists.map(encodePriceList), has_more: false, next_cursor: null })),
    adminEndpoint(adminContract.readHealth)(async () => readHealth(ports)),
  ];
}

type Health = ReplyOf<typeof adminContract.readHealth>;

function readHealth(ports: AdminPorts): Health {
  const { platform, clock, operations: { outbox, reconciler: { last } } } = ports;
  return {
    object: 'health',
    maintenance: maintenanceStateAt(platform.current().maintenance, clock.now()),
    upstreams: upstreamsOf(ports),
    settlements_waiting: outbox.waiting,
    ledger: last === null ? null : { checked_at: rfc3339(last.at), differences: last.differences },
  };
}

function upstreamsOf({ catalogue, operations: { upstreams } }: AdminPorts): Health['upstreams'] {
  const open = upstreams.circuits().filter(({ state }) => state === 'open');
  return upstreams.definitions().map(({ id }) => ({
    id,
    models: catalogue.current().models.filter(({ targets }) => targets.some(({ upstreamId }) => upstreamId === id)).length,
    open_circuits: open.filter(({ upstreamId }) => upstreamId === id).length,
  }));
}
