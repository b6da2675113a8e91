import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import {
  type Account, type AccountId, type AccountRepository, type AuditQuery, type AuditRecord, type AuditTrail, availableOf, bannerFor, clientAt, type DaySum,
  daysUntilSpent, DISPLAY_NAME_RULE, firstOfLastDays, GatewayError, invariant, isSuspended, type LastOperatorRefusal, later, MAX_MONTH_DAYS,
  MILLISECONDS_PER_DAY, type PersonId, type Plan, recentSpending, rfc3339, type Spent, standingOf, type StandingOutcome, startOfNextUtcDay, type UsageBucket,
  type UtcDay,
} from '@tollgate/core';
import type { Person, PersonNames } from '@tollgate/identity';
import { encodeAccount, encodeBanner } from '@tollgate/wire-kit';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { type AccountStatePorts, readAccountState } from '../../routes/account.js';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import { encodeRefusals } from '../call/encode-refusals.js';

export function meEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { platform, catalogue, keys, accounts, clock } = ports;
  return [
    endpoint(contract.me)(async ({ visitor: { person, account, plan, reach } }) => ({
      object: 'me', person: encodePerson(person), account: await viewOwnAccount(account, accounts), reach,
      banner: encodeBanner(bannerFor(platform.current(), { plan, catalogue: catalogue.current() }, clock.now())),
      playground_key_id: (await keys.findPlaygroundKey(account.id))?.id ?? null,
      settings: encodeSettings(ports),
    })),
  ];
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
    endpoint(contract.requestDeletion)(async ({ visitor: { person }, browser }) => standingAfter(await ownDeletion.schedule(person, clientAt(browser.address)), ports)),
    endpoint(contract.cancelDeletion)(async ({ visitor: { person }, browser }) => standingAfter(await ownDeletion.cancel(person, clientAt(browser.address)), ports)),
  ];
}

type Me = ReplyOf<typeof contract.me>;

function encodePerson({ id, email, name, role, factors, createdAt }: Person): Me['person'] {
  return { id, object: 'person', email, name, role, factors, created_at: rfc3339(createdAt) };
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

type ActivityPage = ReplyOf<typeof contract.activity>;

/** `ownerId` is `null` without an owner. */
interface Owned {
  readonly account: Account;
  readonly ownerId: PersonId | null;
}

/** Without identity and address of operators. */
function encodeActivity({ number, at, action, subject, actor, origin }: AuditRecord, ownerId: PersonId | null): ActivityPage['data'][number] {
  const isOwn = actor.kind === 'owner' && actor.id === ownerId;
  return { id: `audit_${number}`, object: 'activity', at: rfc3339(at), action, subject, by: actor.kind, address: isOwn ? origin.address : null };
}

/** Throws `invalid_request` for an invalid cursor. */
async function listActivity({ account, ownerId }: Owned, page: Pick<AuditQuery, 'limit' | 'cursor'>, { auditTrail }: { readonly auditTrail: AuditTrail }): Promise<ActivityPage> {
  const found = await auditTrail.list({ accountId: account.id, actorKind: null, actorId: null, action: null, from: null, to: null, ...page });
  if (found === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  const { records, nextCursor } = found;
  return { object: 'list', data: records.map((record) => encodeActivity(record, ownerId)), has_more: nextCursor !== null, next_cursor: nextCursor };
}

type Overview = ReplyOf<typeof contract.overview>;

export interface Viewed extends Owned {
  readonly plan: Plan;
}

interface OverviewPorts extends AccountStatePorts {
  readonly auditTrail: AuditTrail;
  readonly refusals: RefusalCounts;
}

interface ModelDay extends DaySum, Pick<UsageBucket, 'requests'> {
  readonly model: string | null;
}

const SHOWN_DAYS = 30;
const SHOWN_ENTRIES = 5;

function modelDayOf({ group, requests, charged, chargedUsd }: UsageBucket): ModelDay {
  const [day = '', ...model] = (group ?? '').split(' ');
  return { day: day as UtcDay, model: model.join(' ') || null, requests, charged, chargedUsd };
}

function encodeSpent({ charged, usd }: Spent) {
  return { svc_tokens: charged.toString(), usd: usd.toString() };
}

/** Three reads: account, roll-ups, audit trail. */
export async function readOverview(viewed: Viewed, ports: OverviewPorts): Promise<Overview> {
  const { account, plan } = viewed;
  const now = ports.clock.now();
  const to = startOfNextUtcDay(now);
  const from = later(to, -MAX_MONTH_DAYS * MILLISECONDS_PER_DAY);
  const [state, buckets, activity] = await Promise.all([
    readAccountState({ account, plan, keyModels: null }, ports),
    ports.usage.summary({ accountId: account.id, from, to, groupBy: 'day-model', limit: 1 }),
    listActivity(viewed, { limit: SHOWN_ENTRIES, cursor: null }, ports),
  ]);
  const days = buckets.map(modelDayOf);
  const { today, month, sevenDays } = recentSpending(days, now);
  const firstShown = firstOfLastDays(SHOWN_DAYS, now);
  return {
    object: 'overview',
    account: encodeAccount(state),
    spend: { today: encodeSpent(today), month: encodeSpent(month), last_7_days: encodeSpent(sevenDays) },
    runs_out_in_days: daysUntilSpent(availableOf(state.balance), sevenDays),
    days: days.filter(({ day }) => day >= firstShown).map(({ day, model, requests, charged, chargedUsd }) =>
      ({ day, model, requests, charged: { svc_tokens: charged.toString(), usd: chargedUsd } })),
    activity: activity.data,
    refusals: encodeRefusals(ports.refusals.of(account.id)),
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
