import type { Environment } from '@tollgate/adapters-config';
import { invariant, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { createGateway } from '../composition/container.js';
import { services } from '../composition/services.js';
import type { Gateway } from '../gateway/gateway.js';
import { expectDescribed } from './described-replies.js';
import { rebind, type Replacements, type TestCaller } from './start-test-gateway.js';

export interface EmbeddedGatewayOptions {
  /** In addition to a free port and an in-memory database. */
  readonly environment?: Environment;
  /** Services that replace those chosen by the environment. */
  readonly services?: Replacements;
  /** Credit of the first account; default 1,000,000. */
  readonly credit?: string;
  /** Default `pro`. */
  readonly planId?: PlanId;
}

/** A real gateway on a free port: in-memory SQLite, sandbox models, system clock. Close it after the test. */
export interface EmbeddedGateway extends TestCaller {
  readonly url: string;
  readonly gateway: Gateway;
  close(): Promise<void>;
}

const EMBEDDED_ENVIRONMENT: Environment = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', UNBILLED_PER_MINUTE_ACCOUNT: '0', UNBILLED_PER_MINUTE_ADDRESS: '0' };

/** A clock on which every poll of the database is due. */
function hurriedClock(): () => number {
  let milliseconds = 0;
  return () => (milliseconds += 1000);
}

export async function startEmbeddedGateway(options: EmbeddedGatewayOptions = {}): Promise<EmbeddedGateway> {
  const gateway = await createGateway({ ...EMBEDDED_ENVIRONMENT, ...options.environment }, (container) => rebind(container, { elapsed: hurriedClock(), ...options.services }));
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
  return {
    url: gateway.url, gateway, account, key: secret.reveal(), keyId: key.id,
    close: async () => {
      await gateway.close();
      expectDescribed();
    },
  };
}
