import { assertNever } from '@tollgate/core';
import { encodeAccount } from '../../encoding/encode-account.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount, findPlan, present } from '../../values/find-account.js';
import { accountLines } from './show-accounts.js';

export type ChangeRequest = { readonly name: string } | { readonly plan: string };

/** Changes an account and shows it as it is then. */
export async function changeAccount(session: OperatorSession, idOrEmail: string, request: ChangeRequest): Promise<Report> {
  const change = 'plan' in request ? { planId: findPlan(session, request.plan).id } : request;
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await session.accounts.change(id, change, session.actor);
  switch (outcome.outcome) {
    case 'no-such-account': throw new CommandFailure(`there is no account ${id}`);
    case 'no-such-plan': throw misuse('there is no such plan');
    case 'changed': break;
    default: assertNever(outcome);
  }
  const balance = present(await session.store.ledger.balanceOf(id), 'the changed account\'s balance');
  return { json: { account: encodeAccount(outcome.account, balance) }, lines: accountLines(outcome.account, balance) };
}
