import {
  type Account, type AccountId, type AccountRepository, type Balance, bannerFor, DISPLAY_NAME_RULE, GatewayError, invariant, isSuspended,
  type LastOperatorRefusal, type Ledger, MILLISECONDS_PER_DAY, rfc3339, standingOf, type StandingOutcome,
} from '@tollgate/core';
import { type BodyOf, contract, type ReplyOf } from '@tollgate/api-contract';
import type { Person, PersonNames } from '@tollgate/identity';
import { encodeAccount, encodeBanner } from '@tollgate/wire-kit';
import { readAccountState } from '../../routes/account-state.js';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { listActivity } from './activity.js';
import { readOverview } from './overview.js';
import { encodeUsualRequest, usualRequestOf } from './usual-request.js';

export function meEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { platform, catalogue, keys, accounts, clock, ledger } = ports;
  return [
    endpoint(contract.me)(async ({ visitor: { person, account, plan, reach } }) => ({
      object: 'me', person: encodePerson(person), account: await viewOwnAccount(account, accounts), reach, now: rfc3339(clock.now()),
      banner: encodeBanner(bannerFor(platform.current(), { plan, catalogue: catalogue.current() }, clock.now())),
      usual_request: encodeUsualRequest(usualRequestOf({ account, plan }, ports), await balanceOf(account.id, ledger), ports),
      playground_key_id: (await keys.findPlaygroundKey(account.id))?.id ?? null,
      settings: encodeSettings(ports),
    })),
  ];
}

async function balanceOf(id: AccountId, ledger: Pick<Ledger, 'balanceOf'>): Promise<Balance> {
  const balance = await ledger.balanceOf(id);
  invariant(balance !== null, 'an account that was just authenticated has a balance');
  return balance;
}

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
    endpoint(contract.changeLanguage)(({ visitor: { person }, body: { language } }) => people.setLanguage(person.id, language)),
    endpoint(contract.changeProfile)(async ({ visitor: { person, account }, call, body }) => {
      const renamed = await people.rename(person.id, namesOf(body), { actor: actorOf(call, 'owner'), at: clock.now() });
      if (renamed.outcome !== 'renamed') throw new GatewayError('invalid_request', `A name must be ${DISPLAY_NAME_RULE}.`);
      return { object: 'profile', person: encodePerson(renamed.person), account: await viewOwnAccount(await present(account.id), accounts) };
    }),
    ...deletionEndpoints(ports),
  ];
}

function deletionEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { ownDeletion } = ports;
  return [
    endpoint(contract.requestDeletion)(async ({ visitor: { person }, call }) => standingAfter(await ownDeletion.schedule(person, actorOf(call, 'owner').origin), ports)),
    endpoint(contract.cancelDeletion)(async ({ visitor: { person }, call }) => standingAfter(await ownDeletion.cancel(person, actorOf(call, 'owner').origin), ports)),
  ];
}

type Me = ReplyOf<typeof contract.me>;

function encodePerson({ id, email, name, role, language, factors, createdAt }: Person): Me['person'] {
  return { id, object: 'person', email, name, role, language, factors, created_at: rfc3339(createdAt) };
}

/** Queries the reason only for suspended accounts. */
async function viewOwnAccount(account: Account, accounts: Pick<AccountRepository, 'suspensionReason'>): Promise<Me['account']> {
  const standing = standingOf(account);
  invariant(standing === 'good' || standing === 'suspended' || standing === 'pending-deletion', 'other owners have no session');
  const reason = isSuspended(account) ? await accounts.suspensionReason(account.id) : null;
  return { id: account.id, name: account.name, standing, standing_reason: reason, deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt) };
}

function encodeSettings({ rules, address, hasMailServer, administration }: DashboardPorts): Me['settings'] {
  const { signUp, secondFactor, creditLine } = rules;
  return {
    sign_up: signUp, public_url: address.origin, api_url: address.origin, require_second_factor: secondFactor, mail: hasMailServer, credit_line: creditLine,
    deletion_grace_days: administration.deletionGraceMilliseconds / MILLISECONDS_PER_DAY,
  };
}

function namesOf({ name, account_name: accountName }: BodyOf<typeof contract.changeProfile>): PersonNames {
  return { ...(name === undefined ? {} : { name }), ...(accountName === undefined ? {} : { accountName }) };
}

/** Throws if the change is not permitted. */
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
