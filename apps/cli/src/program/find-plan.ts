import type { Account, Plan, PlanId } from '@tollgate/core';
import { misuse } from './command-failure.js';
import type { OperatorSession } from './operator-session.js';

/** The plan with this id. If there is none, throws a misuse that names `place` and lists the existing plans. */
export function findPlan({ catalogue }: OperatorSession, id: string, place = 'argument <plan>'): Plan {
  const { plans } = catalogue.current();
  const plan = catalogue.current().plan(id as PlanId);
  if (plan === null) throw misuse(`${place}: there is no plan ${id}; there are ${plans.map((known) => known.id).join(', ')}`);
  return plan;
}

/** The plan that the gateway applies to an account. */
export function planOf({ catalogue }: OperatorSession, account: Account): Plan {
  return catalogue.current().planInForce(account.planId);
}
