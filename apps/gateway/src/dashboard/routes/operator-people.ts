import { type AccountId, GatewayError, type PersonId, refuseName } from '@tollgate/core';
import { contract } from '@tollgate/api-contract';
import { ADDRESS_REFUSALS, type InvitationOutcome, type Person, refuseAddress, type ReplaceAddressRefusal } from '@tollgate/identity';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeSession } from '../call/encode-session.js';
import { addressTaken } from '../call/read-fields.js';
import { noSuchAccount, viewAccount } from './account-views.js';

export function operatorPeopleEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { sessions, clock, identity: { invitations }, administration: { addresses } } = ports;
  return [
    endpoint(contract.invitePerson)(async ({ body: { email, name }, call }) => {
      const outcome = await invitations.invite({ email, name, by: actorOf(call, 'operator') });
      if (outcome !== 'invited') throw invitationRefusal(outcome, email);
      return { object: 'invitation', email };
    }),
    endpoint(contract.changeAddressOfAccount)(async ({ params: { id }, body: { email }, call }) => {
      const outcome = await addresses.replace({ accountId: id as AccountId, email, by: { actor: actorOf(call, 'operator'), at: clock.now() } });
      if (!('account' in outcome)) throw addressRefusal(outcome.outcome, id);
      return { ...await viewAccount(outcome.account, ports), outcome: outcome.outcome };
    }),
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

/** Throws `not_found`. */
async function findPerson(id: string, { people }: DashboardPorts): Promise<Person> {
  const person = await people.find(id as PersonId);
  if (person === null) throw new GatewayError('not_found', `There is no person ${id}.`);
  return person;
}

function addressRefusal(outcome: ReplaceAddressRefusal, id: string): GatewayError {
  switch (outcome) {
    case 'no-such-account': return noSuchAccount(id);
    case 'email-malformed': return refuseAddress();
    case 'email-taken': return addressTaken(ADDRESS_REFUSALS[outcome]);
    case 'operator': case 'changed-meanwhile': return new GatewayError('conflict', ADDRESS_REFUSALS[outcome]);
  }
}

function invitationRefusal(outcome: Exclude<InvitationOutcome, 'invited'>, email: string): GatewayError {
  switch (outcome) {
    case 'has-account': return addressTaken(`A person with the address ${email} already has an account.`);
    case 'closed': return new GatewayError('sign_up_closed', 'SIGN_UP is closed, which also excludes invited people. You can create an account without a person.');
    case 'email-malformed': return refuseAddress();
    case 'name-malformed': return refuseName();
  }
}
