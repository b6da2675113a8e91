import {
  type Account, type AccountId, type Actor, assertNever, GatewayError, isClosedToOwnAccount, type LastOperatorRefusal, type StandingOutcome, type StandingTrigger,
} from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { actorOf, type DashboardCall, visitorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { operatorText } from '../call/read-fields.js';
import { findAccount, noSuchAccount, viewAccount } from './account-views.js';

/** Endpoints for standings, by the same rules as the command line. */
export function standingEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...ROUTES.map(([route, trigger]) => endpoint(route)((act) => perform(act, { trigger }, ports))),
    endpoint(contract.suspendAccount)(({ params, body: { reason }, call }) => perform({ params, call }, { trigger: 'suspend', reason: operatorText(reason, 'reason') }, ports)),
    endpoint(contract.deleteAccount)(async ({ params, body: { now }, call }) => {
      if (now) return deleteNow({ params, call }, ports);
      return { ...await schedule({ params, call }, ports.administration.deletionGraceMilliseconds, ports), forfeited: null };
    }),
  ];
}

type Changed = ReplyOf<typeof contract.suspendAccount>;
type Deleted = ReplyOf<typeof contract.deleteAccount>;

interface Act {
  readonly params: { readonly id: string };
  readonly call: DashboardCall;
}

const ROUTES = [
  [contract.reactivateAccount, 'reactivate'], [contract.blockAccount, 'block'], [contract.unblockAccount, 'unblock'],
  [contract.verifyAccount, 'verify'], [contract.cancelDeletionOfAccount, 'cancel-deletion'],
] as const;

/** A standing command without account and actor. */
export type PlainCommand = { readonly trigger: (typeof ROUTES)[number][1] } | { readonly trigger: 'suspend'; readonly reason: string | null };

/** Throws `conflict` for acts that would end the operator's own session, so that the operator could not undo them. */
export function refuseOwnAccount(call: DashboardCall, accountId: string, trigger: StandingTrigger): void {
  if (visitorOf(call).account.id !== accountId || !isClosedToOwnAccount(trigger)) return;
  throw new GatewayError('conflict', 'You cannot do this to your own account. Ask another operator.');
}

function lastOperator(): GatewayError {
  return new GatewayError('conflict', 'The account belongs to the last operator and cannot be deleted. Appoint another operator first.');
}

function accountAfter(outcome: StandingOutcome | LastOperatorRefusal, id: string): { readonly account: Account; readonly outcome: 'changed' | 'unchanged' } {
  switch (outcome.outcome) {
    case 'changed': case 'unchanged': return outcome;
    case 'no-such-account': throw noSuchAccount(id);
    case 'last-operator': throw lastOperator();
    case 'refused': throw new GatewayError(outcome.code, outcome.message);
    default: return assertNever(outcome);
  }
}

async function perform({ params: { id }, call }: Act, command: PlainCommand, ports: DashboardPorts): Promise<Changed> {
  refuseOwnAccount(call, id, command.trigger);
  return changeStanding({ accountId: id as AccountId, actor: actorOf(call, 'operator') }, command, ports);
}

interface StandingTarget {
  readonly accountId: AccountId;
  readonly actor: Actor;
}

type StandingPorts = Pick<DashboardPorts, 'administration' | 'catalogue'>;

/** Throws a `GatewayError` if the core refuses. */
export async function changeStanding({ accountId, actor }: StandingTarget, command: PlainCommand, ports: StandingPorts): Promise<Changed> {
  return viewChanged(await ports.administration.standings.perform({ ...command, accountId, actor }), accountId, ports);
}

/** Throws a `GatewayError` if the core refuses. */
export async function scheduleDeletion(command: StandingTarget & { readonly graceMilliseconds: number }, ports: StandingPorts): Promise<Changed> {
  return viewChanged(await ports.administration.deletions.request(command), command.accountId, ports);
}

async function viewChanged(result: StandingOutcome | LastOperatorRefusal, id: AccountId, ports: StandingPorts): Promise<Changed> {
  const { account, outcome } = accountAfter(result, id);
  return { ...await viewAccount(account, ports), outcome };
}

async function schedule({ params: { id }, call }: Act, graceMilliseconds: number, ports: DashboardPorts): Promise<Changed> {
  refuseOwnAccount(call, id, 'request-deletion');
  return scheduleDeletion({ accountId: id as AccountId, actor: actorOf(call, 'operator'), graceMilliseconds }, ports);
}

/** Returns `requests-running` if the deletion waits for the last running request, and `charge-running` if it waits for the answer to a charge. */
async function deleteNow(act: Act, ports: DashboardPorts): Promise<Deleted> {
  const { params: { id }, call } = act;
  const { status } = await findAccount(id, ports);
  if (status !== 'deleted') await schedule(act, 0, ports);
  const outcome = await ports.administration.deletions.carryOut(id as AccountId, actorOf(call, 'operator'));
  switch (outcome.outcome) {
    case 'deleted': case 'deleted-already': case 'requests-running': case 'charge-running': break;
    case 'no-such-account': throw noSuchAccount(id);
    case 'last-operator': throw lastOperator();
    case 'changed-meanwhile': throw new GatewayError('conflict', 'The account was changed at the same time. Reload it and try again.');
    case 'refused': throw new GatewayError(outcome.code, outcome.message);
    default: return assertNever(outcome);
  }
  const forfeited = outcome.outcome === 'deleted' ? outcome.forfeited.toString() : null;
  return { ...await viewAccount(await findAccount(id, ports), ports), outcome: outcome.outcome, forfeited };
}
