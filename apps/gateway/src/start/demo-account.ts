import {
  type AuditedBy, type Catalogue, invariant, isInPlan, MILLISECONDS_PER_HOUR, type Model, type ModelSlug, type Plan, type PlanId, ServiceTokens,
  SYSTEM_ACTOR,
} from '@tollgate/core';
import { dashboardLink, Operators } from '@tollgate/identity';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';

const DEMO_CREDIT = ServiceTokens.parse('1000000');
const DEMO_PLAN = 'pro' as PlanId;
const DEMO_EMAIL = 'demo@localhost';
const DEMO_NAME = 'Demo';
/** Lifetime of the first link: the operator has to read the output first. */
const LINK_MILLISECONDS = MILLISECONDS_PER_HOUR;
/** Hosts for which a start prints a sign-in link. On other hosts, such as containers, other people may read its output. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** What the first start prints, once. */
export interface Demo {
  /** The key in plaintext, shown only once. */
  readonly key: string;
  /** A model the account may use; `null` while none is known. */
  readonly model: Model | null;
  /** Signs in once, within an hour, as the operator who owns the account; `null` if the gateway listens for other machines. */
  readonly signInLink: string | null;
}

function demoPlan(catalogue: Catalogue): Plan {
  const plan = catalogue.plan(DEMO_PLAN) ?? catalogue.plans[0];
  invariant(plan !== undefined, 'a catalogue has at least one plan');
  return plan;
}

/**
 * Creates an account for trying the gateway if the database has no account. `null` if it has one, or if another gateway created the account first.
 */
export async function makeDemoAccount(gateway: Gateway): Promise<Demo | null> {
  const { container } = gateway;
  const { accounts } = await container.get(services.accounts).list({ limit: 1, after: null });
  if (accounts.length > 0) return null;
  const catalogue = container.get(services.catalogue).current();
  const plan = demoPlan(catalogue);
  const created = await gateway.accountAdministration.create({
    email: DEMO_EMAIL, name: DEMO_NAME, planId: plan.id, emailVerified: true, actor: SYSTEM_ACTOR,
  });
  // Another gateway, started concurrently on the same empty database, created it first.
  if (created.outcome === 'email-taken') return null;
  invariant(created.outcome === 'created', 'an empty database takes its first account');
  const accountId = created.account.id;
  await gateway.accountAdministration.credit({ accountId, amount: DEMO_CREDIT, reference: 'demo', actor: SYSTEM_ACTOR });
  const made = await gateway.keyManagement.create({ accountId, plan, name: 'demo', expiresAt: null, actor: SYSTEM_ACTOR });
  invariant(made.outcome === 'created', 'a new account has room for its first key');
  return {
    key: made.issued.secret.reveal(),
    model: catalogue.models.find((model) => isInPlan(model, plan)) ?? null,
    signInLink: LOOPBACK_HOSTS.has(gateway.settings.host) ? await linkOfFirstOperator(gateway, plan.id) : null,
  };
}

/** Makes the owner of the demo account the first operator. */
async function linkOfFirstOperator({ publicUrl, container }: Gateway, planId: PlanId): Promise<string> {
  const operators = container.get(Operators);
  const by: AuditedBy = { actor: SYSTEM_ACTOR, at: container.get(services.clock).now() };
  const { id } = await operators.appoint({ email: DEMO_EMAIL, name: DEMO_NAME, planId, by });
  const token = await operators.issueLink(id, by, LINK_MILLISECONDS);
  invariant(token !== null, 'the operator was just appointed');
  return dashboardLink(publicUrl, 'link', token);
}

interface DemoRequestFacts {
  readonly url: string;
  readonly key: string;
  readonly model: ModelSlug;
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll('\'', '\'\\\'\'')}'`;
}

/** One request per wire format, each on a single line for a shell. */
export function demoRequests({ url, key, model }: DemoRequestFacts): { readonly chat: string; readonly messages: string; readonly responses: string } {
  const text = 'Say hello.';
  const messages = [{ role: 'user', content: text }];
  const bearer = `-H ${quoted(`authorization: Bearer ${key}`)}`;
  const json = `-H ${quoted('content-type: application/json')}`;
  return {
    chat: `curl -sS ${url}/v1/chat/completions ${bearer} ${json} -d ${quoted(JSON.stringify({ model, messages }))}`,
    messages: `curl -sS ${url}/v1/messages -H ${quoted(`x-api-key: ${key}`)} ${json} -d ${quoted(JSON.stringify({ model, max_tokens: 256, messages }))}`,
    responses: `curl -sS ${url}/v1/responses ${bearer} ${json} -d ${quoted(JSON.stringify({ model, input: text }))}`,
  };
}
