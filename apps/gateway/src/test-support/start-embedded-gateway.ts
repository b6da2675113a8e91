import { invariant, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../gateway/services.js';
import { rebind, type Replacements, type TestCaller } from './start-test-gateway.js';

export interface EmbeddedGatewayOptions {
  /** Besides a free port and a database in memory: `UPSTREAM_BASE_URL` for a scripted upstream, `CATALOG_FILE` for models of one's own. */
  readonly environment?: Environment;
  /** Takes the place of what the environment would open: the clock, the ids, the provider … */
  readonly services?: Replacements;
  /** Service tokens of the first account; 1,000,000 unless given. */
  readonly credit?: string;
  /** `pro` unless given. */
  readonly planId?: PlanId;
}

/** The gateway as users run it, on a free port: SQLite in memory, the built-in sandbox models, the real clock; and a caller. Close it after the test. */
export interface EmbeddedGateway extends TestCaller {
  readonly url: string;
  readonly gateway: Gateway;
  close(): Promise<void>;
}

const ENVIRONMENT: Environment = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', UNBILLED_PER_MINUTE_KEY: '0', UNBILLED_PER_MINUTE_ADDRESS: '0' };

/** A clock by which every look at the database comes late enough to see what other processes have changed. */
function hurriedClock(): () => number {
  let milliseconds = 0;
  return () => (milliseconds += 1000);
}

export async function startEmbeddedGateway(options: EmbeddedGatewayOptions = {}): Promise<EmbeddedGateway> {
  const gateway = await createGateway({ ...ENVIRONMENT, ...options.environment }, (container) => rebind(container, { elapsed: hurriedClock(), ...options.services }));
  const { accountAdministration, keyManagement, container } = gateway;
  const planId = options.planId ?? ('pro' as PlanId);
  const created = await accountAdministration.create({ email: 'first@example.test', name: 'First', planId, emailVerified: true, actor: SYSTEM_ACTOR });
  invariant(created.outcome === 'created', 'the database is new');
  const { account } = created;
  const amount = ServiceTokens.parse(options.credit ?? '1000000');
  if (!amount.isZero()) await accountAdministration.credit({ accountId: account.id, amount, reference: 'first', actor: SYSTEM_ACTOR });
  const plan = container.get(services.catalogue).current().plan(planId);
  invariant(plan !== null, 'the catalogue has the plan of the account');
  const made = await keyManagement.create({ accountId: account.id, plan, name: 'first', expiresAt: null, actor: SYSTEM_ACTOR });
  invariant(made.outcome === 'created', 'a new account has no key yet');
  const { key, secret } = made.issued;
  return { url: gateway.url, gateway, account, key: secret.reveal(), keyId: key.id, close: () => gateway.close() };
}
