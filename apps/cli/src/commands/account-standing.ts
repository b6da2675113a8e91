import {
  type Account, type AccountId, assertNever, type DeletionOutcome, type StandingAct, type StandingCommand, type StandingOutcome,
} from '@tollgate/core';
import { encodeAccount } from '../encoding/encode-resources.js';
import { CommandFailure, type Report } from '../program/report.js';
import type { OperatorSession } from '../program/operator-session.js';
import { findAccount, present } from '../program/lookups.js';
import { accountLines } from './accounts.js';

/** Changes of standing without further terms. */
export type PlainAct = Exclude<StandingAct, 'request-deletion' | 'block' | 'suspend'>;

type Act = StandingCommand extends infer Command ? Command extends StandingCommand ? Omit<Command, 'accountId' | 'actor'> : never : never;

/** Changes an account's standing and shows the account. */
export async function changeStanding(session: OperatorSession, idOrEmail: string, act: Act): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  return reportStanding(session, id, await session.standings.perform({ ...act, accountId: id, actor: session.actor }));
}

/** Shows the account after a change of its standing. Throws if the change was refused. */
async function reportStanding(session: OperatorSession, id: AccountId, outcome: StandingOutcome): Promise<Report> {
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    case 'changed': case 'unchanged': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return {
    json: { account: encodeAccount(outcome.account, balance), outcome: outcome.outcome },
    lines: [...accountLines(outcome.account, balance), ...(outcome.outcome === 'unchanged' ? ['Nothing has changed: the account was in this state already.'] : [])],
  };
}

const RUNNING = 'Requests of the account are still running. A gateway deletes it within a minute of their end.';

/** Schedules a deletion, which can be cancelled until it is due. */
export function scheduleDeletion(session: OperatorSession, idOrEmail: string): Promise<Report> {
  return request(session, idOrEmail, session.deletionGraceMilliseconds);
}

/** Deletes an account at once, or as soon as its last request has settled. */
export async function deleteNow(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  if (account.status !== 'deleted') await request(session, account.id, 0);
  const outcome = await session.deletions.carryOut(account.id, session.actor);
  return { json: { account_id: account.id, ...jsonOf(outcome) }, lines: [lineOf(account, outcome)] };
}

async function request(session: OperatorSession, idOrEmail: string, graceMilliseconds: number): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const outcome = await session.deletions.request({ accountId, actor: session.actor, graceMilliseconds });
  if (outcome.outcome === 'last-operator') throw lastOperator(accountId);
  return reportStanding(session, accountId, outcome);
}

/** An installation keeps at least one operator. */
function lastOperator(id: AccountId): CommandFailure {
  return new CommandFailure(`last_operator: account ${id} belongs to the last operator and cannot be deleted; make another operator first`);
}

function jsonOf(outcome: DeletionOutcome): { readonly outcome: string; readonly forfeited?: string } {
  return outcome.outcome === 'deleted' ? { outcome: 'deleted', forfeited: outcome.forfeited.toString() } : { outcome: outcome.outcome };
}

function lineOf({ id }: Account, outcome: DeletionOutcome): string {
  switch (outcome.outcome) {
    case 'deleted': return `Account ${id} is deleted; ${outcome.forfeited.toString()} service tokens are forfeited. Its address is free again.`;
    case 'deleted-already': return `Account ${id} was deleted before.`;
    case 'requests-running': return `The deletion of account ${id} is due. ${RUNNING}`;
    case 'last-operator': throw lastOperator(id);
    case 'changed-meanwhile': throw new CommandFailure(`account ${id} was changed at the same time; run the command again`);
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    default: return assertNever(outcome);
  }
}
