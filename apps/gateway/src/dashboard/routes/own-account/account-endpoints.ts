import { type BodyOf, contract } from '@tollgate/dashboard-contract';
import { type AccountId, clientAt, GatewayError, invariant, type LastOperatorRefusal, type PersonNames, type StandingOutcome } from '@tollgate/core';
import { readAccountState } from '../../../routes/account/account-state.js';
import { encodeAccount } from '../../../routes/account/encode-account.js';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { encodePerson, viewOwnAccount } from './me-endpoints.js';
import { listActivity } from './activity.js';
import { readOverview } from './overview.js';

function namesOf({ name, account_name: accountName }: BodyOf<typeof contract.changeProfile>): PersonNames {
  return { ...(name === undefined ? {} : { name }), ...(accountName === undefined ? {} : { accountName }) };
}

/** The account after a change of its deletion. Throws what forbids the change. */
function standingAfter(outcome: StandingOutcome | LastOperatorRefusal, { accounts }: DashboardPorts) {
  switch (outcome.outcome) {
    case 'changed':
    case 'unchanged':
      return viewOwnAccount(outcome.account, accounts);
    case 'last-operator':
      throw new GatewayError('conflict', 'You are the only operator of this installation. Appoint another one first.');
    case 'refused':
      throw new GatewayError(outcome.code, outcome.message);
    case 'no-such-account':
      throw new GatewayError('conflict', 'The account has been deleted.');
  }
}

function deletionEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { ownDeletion } = ports;
  return [
    endpoint(contract.requestDeletion)(async ({ visitor: { person }, browser }) => standingAfter(await ownDeletion.schedule(person, clientAt(browser.address)), ports)),
    endpoint(contract.cancelDeletion)(async ({ visitor: { person }, browser }) => standingAfter(await ownDeletion.cancel(person, clientAt(browser.address)), ports)),
  ];
}

/** The account of the person who is signed in, and what becomes of it. */
export function accountEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { people, accounts, clock } = ports;
  const present = async (id: AccountId) => {
    const account = await accounts.findById(id);
    invariant(account !== null, 'accounts stay, also when they are deleted');
    return account;
  };
  return [
    endpoint(contract.account)(async ({ visitor: { account, plan } }) => encodeAccount(await readAccountState({ account, plan, keyModels: null }, ports))),
    endpoint(contract.overview)(async ({ visitor: { account, plan, person } }) => readOverview({ account, plan, ownerId: person.id }, ports)),
    endpoint(contract.activity)(async ({ visitor: { account, person }, query: { limit, cursor = null } }) => listActivity({ account, ownerId: person.id }, { limit, cursor }, ports)),
    endpoint(contract.changeProfile)(async ({ visitor: { person, account }, call, body }) => {
      const renamed = await people.rename(person.id, namesOf(body), { actor: actorOf(call, 'owner'), at: clock.now() });
      if (renamed.outcome !== 'renamed') throw new GatewayError('invalid_request', 'A name is a line of 1 to 100 characters.');
      return { object: 'profile', person: encodePerson(renamed.person), account: await viewOwnAccount(await present(account.id), accounts) };
    }),
    ...deletionEndpoints(ports),
  ];
}
