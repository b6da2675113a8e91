import { type AccountId, type StandingAct, type StandingCommand, type StandingOutcome, assertNever } from '@tollgate/core';
import { encodeAccount } from '../../encoding/encode-account.js';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount, present } from '../../values/find-account.js';
import { accountLines } from './show-accounts.js';

/** Acts that need nothing but their account. */
export type PlainAct = Exclude<StandingAct, 'request-deletion' | 'block' | 'suspend'>;

type Act = StandingCommand extends infer Command ? Command extends StandingCommand ? Omit<Command, 'accountId' | 'actor'> : never : never;

/** Changes an account's standing and shows it as it is then. */
export async function changeStanding(session: OperatorSession, idOrEmail: string, act: Act): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  return reportStanding(session, id, await session.standings.perform({ ...act, accountId: id, actor: session.actor }));
}

/** The account as it is after an act on its standing. Throws where the act is refused. */
export async function reportStanding(session: OperatorSession, id: AccountId, outcome: StandingOutcome): Promise<Report> {
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    case 'changed': case 'unchanged': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return {
    json: { account: encodeAccount(outcome.account, balance), outcome: outcome.outcome },
    lines: [...accountLines(outcome.account, balance), ...(outcome.outcome === 'unchanged' ? ['Nothing was changed: it was so already.'] : [])],
  };
}
