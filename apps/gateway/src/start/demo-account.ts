import { invariant, isInPlan, type Model, type Plan, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Gateway } from '../composition/gateway.js';

const DEMO_CREDIT = ServiceTokens.parse('1000000');
const DEMO_PLAN = 'pro' as PlanId;

/** What the first start hands to whoever started it. */
export interface Demo {
  /** In clear: the one time it is seen. */
  readonly key: string;
  /** One the account may use; `null` while no model is known. */
  readonly model: Model | null;
}

function demoPlan({ foundation }: Gateway): Plan {
  const catalogue = foundation.catalogue.current();
  const plan = catalogue.plan(DEMO_PLAN) ?? catalogue.plans[0];
  invariant(plan !== undefined, 'a catalogue has at least one plan');
  return plan;
}

/** Makes an account to try the gateway with, if its database has none at all; `null` if it has, or if another gateway just makes it. */
export async function makeDemoAccount(gateway: Gateway): Promise<Demo | null> {
  const { store, catalogue } = gateway.foundation;
  const { accounts } = await store.accounts.list({ limit: 1, after: null });
  if (accounts.length > 0) return null;
  const plan = demoPlan(gateway);
  const created = await gateway.accountAdministration.create({
    email: 'demo@localhost', name: 'Demo', planId: plan.id, emailVerified: true, actor: SYSTEM_ACTOR,
  });
  // Of several gateways that start on one empty database together, another was first.
  if (created.outcome === 'email-taken') return null;
  invariant(created.outcome === 'created', 'an empty database takes its first account');
  const accountId = created.account.id;
  await gateway.accountAdministration.credit({ accountId, amount: DEMO_CREDIT, reference: 'demo', actor: SYSTEM_ACTOR });
  const made = await gateway.keyManagement.create({ accountId, plan, name: 'demo', expiresAt: null, actor: SYSTEM_ACTOR });
  invariant(made.outcome === 'created', 'a new account has room for its first key');
  return { key: made.issued.secret.reveal(), model: catalogue.current().models.find((model) => isInPlan(model, plan)) ?? null };
}
