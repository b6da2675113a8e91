import { type Account, type AccountId, type Plan, type PlanId, invariant } from '@tollgate/core';
import { CommandFailure, misuse } from '../program/command-failure.js';
import type { OperatorSession } from '../program/operator-session.js';

/** What commands take to name an account. */
export const ACCOUNT_ARGUMENT = ['<account>', 'its id (acct_…) or e-mail address'] as const;

/** The account with an id or an e-mail address. */
export async function findAccount({ store }: OperatorSession, idOrEmail: string): Promise<Account> {
  const account = idOrEmail.includes('@') ? await store.accounts.findByEmail(idOrEmail) : await store.accounts.findById(idOrEmail as AccountId);
  if (account === null) throw new CommandFailure(`there is no account ${idOrEmail}`);
  return account;
}

/** The plan an operator names; the message lists what there is. */
export function findPlan({ catalogue }: OperatorSession, id: string): Plan {
  const { plans } = catalogue.current();
  const plan = catalogue.current().plan(id as PlanId);
  if (plan === null) throw misuse(`there is no plan ${id}; there are ${plans.map((known) => known.id).join(', ')}`);
  return plan;
}

/** The plan in force for an account, as the gateway sees it too. */
export function planOf({ catalogue }: OperatorSession, account: Account): Plan {
  return catalogue.current().planInForce(account.planId);
}

/** Reads what must be there since it was there a moment ago. */
export function present<Value>(value: Value | null, what: string): Value {
  invariant(value !== null, `${what} is there`);
  return value;
}
