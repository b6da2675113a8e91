import { contract } from '@tollgate/dashboard-contract';
import { GatewayError, type Person, type PersonId } from '@tollgate/core';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { encodeSession } from '../session-endpoints.js';

/** Throws `not_found`. */
async function findPerson(id: string, { people }: DashboardPorts): Promise<Person> {
  const person = await people.find(id as PersonId);
  if (person === null) throw new GatewayError('not_found', `There is no person ${id}.`);
  return person;
}

/** What operators see and do of people, beside their accounts. */
export function operatorPeopleEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { sessions, clock } = ports;
  return [
    endpoint(contract.listSessionsOfPerson)(async ({ params: { id }, visitor }) => {
      const alive = await sessions.list(await findPerson(id, ports), clock.now());
      return { object: 'list', data: alive.map((each) => encodeSession(each, visitor.session)), has_more: false };
    }),
    endpoint(contract.endSessionsOfPerson)(async ({ params: { id }, call }) => {
      const person = await findPerson(id, ports);
      await sessions.end(person.id, 'all', { actor: actorOf(call, 'operator'), at: clock.now() });
    }),
  ];
}
