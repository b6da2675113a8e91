import { type Account, type AccountId, GatewayError, invariant, type ModelSlug, type Plan, type PlanId, resolveKeyModels } from '@tollgate/core';
import { CommandFailure, misuse } from './report.js';
import type { OperatorSession } from './operator-session.js';

/** The argument that names an account. */
export const ACCOUNT_ARGUMENT = ['<account>', 'its id (acct_…) or e-mail address'] as const;

/** The account with an id or an e-mail address. */
export async function findAccount({ store }: OperatorSession, idOrEmail: string): Promise<Account> {
  const account = idOrEmail.includes('@') ? await store.accounts.findByEmail(idOrEmail) : await store.accounts.findById(idOrEmail as AccountId);
  if (account === null) throw new CommandFailure(`there is no account ${idOrEmail}`);
  return account;
}

/** The plan with this id. The failure lists the plans that exist. */
export function findPlan({ catalogue }: OperatorSession, id: string): Plan {
  const { plans } = catalogue.current();
  const plan = catalogue.current().plan(id as PlanId);
  if (plan === null) throw misuse(`there is no plan ${id}; there are ${plans.map((known) => known.id).join(', ')}`);
  return plan;
}

/** The plan that the gateway applies to an account. */
export function planOf({ catalogue }: OperatorSession, account: Account): Plan {
  return catalogue.current().planInForce(account.planId);
}

/** Asserts that a value which was read before still exists. */
export function present<Value>(value: Value | null, what: string): Value {
  invariant(value !== null, `${what} is there`);
  return value;
}

/** Models by slug or alias, as an option names them. */
export type ModelNames = readonly string[] | 'all';

/** `all`, or names separated by commas. */
export function modelNamesValue(text: string): ModelNames {
  if (text === 'all') return text;
  return text.split(',').map((name) => name.trim()).filter((name) => name !== '');
}

/** The models that an option names. */
export async function findModels({ modelsOnOffer }: OperatorSession, names: ModelNames): Promise<ReadonlySet<ModelSlug> | null> {
  if (names === 'all') return null;
  const catalogue = await modelsOnOffer().catch((cause: unknown) => {
    throw new CommandFailure(`cannot tell whether there are such models: ${cause instanceof Error ? cause.message : String(cause)} (UPSTREAM_BASE_URL)`);
  });
  try {
    return resolveKeyModels(names, catalogue);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    throw misuse(`option '--models <list>': ${thrown.message} \`tollgate models list\` shows the models on offer.`);
  }
}
