import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountId, availableOf, invariant, type JsonObject, NO_USAGE_FILTERS, type PlanId, ServiceTokens, SYSTEM_ACTOR, type UsageRecord } from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { services } from '../../../src/composition/services.js';
import { rebind, type Replacements, type TestCaller } from '../../../src/test-support/start-test-gateway.js';
import { createGateway } from '../../../src/composition/container.js';
import type { Gateway } from '../../../src/gateway/gateway.js';
import type { Ground, SetUp } from './set-up.js';

export interface DeploymentOptions {
  readonly setUp: SetUp;
  readonly catalogue: (upstream: ScriptedUpstream) => JsonObject;
  readonly services?: Replacements;
  /** Variables for the gateways; they take precedence over those of the set-up. */
  readonly environment?: Environment;
}

export interface CallerOptions {
  readonly planId: string;
  readonly credit: string;
}

interface Parts {
  readonly ground: Ground;
  readonly upstream: ScriptedUpstream;
  readonly folder: string;
  /** Environment of the gateways; a further gateway started with it joins them. */
  readonly environment: Environment;
}

const PAGE = 500;

/** Real gateways over the databases of one set-up, and a scripted upstream. Close it after the test. */
export class Deployment {
  readonly gateways: Gateway[] = [];
  #callers = 0;

  private constructor(private readonly parts: Parts) {}

  static async start({ setUp, catalogue, services: replacements = {}, environment }: DeploymentOptions): Promise<Deployment> {
    const [ground, upstream] = await Promise.all([setUp.prepare(), startScriptedUpstream()]);
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-deployment-'));
    const file = join(folder, 'catalog.yaml');
    writeFileSync(file, JSON.stringify(catalogue(upstream)));
    const settings = { PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production', UNBILLED_PER_MINUTE_ACCOUNT: '0', CATALOG_FILE: file, ...ground.environment, ...environment };
    const deployment = new Deployment({ ground, upstream, folder, environment: settings });
    for (let started = 0; started < setUp.gateways; started += 1) deployment.gateways.push(await createGateway(settings, (container) => rebind(container, replacements)));
    return deployment;
  }

  get upstream(): ScriptedUpstream {
    return this.parts.upstream;
  }

  get environment(): Environment {
    return this.parts.environment;
  }

  /** The gateway at an index modulo their number. */
  gateway(number: number): Gateway {
    const gateway = this.gateways[number % this.gateways.length];
    invariant(gateway !== undefined, 'there is at least one gateway');
    return gateway;
  }

  async addCaller({ planId, credit }: CallerOptions): Promise<TestCaller> {
    const { accountAdministration, keyManagement, container } = this.gateway(0);
    const name = `caller-${this.#callers += 1}`;
    const plan = container.get(services.catalogue).current().plan(planId as PlanId);
    invariant(plan !== null, 'the catalogue has the plan that a test names');
    const created = await accountAdministration.create({ email: `${name}@example.test`, name, planId: plan.id, emailVerified: true, actor: SYSTEM_ACTOR });
    invariant(created.outcome === 'created', 'callers are numbered');
    const { account } = created;
    await accountAdministration.credit({ accountId: account.id, amount: ServiceTokens.parse(credit), reference: name, actor: SYSTEM_ACTOR });
    const made = await keyManagement.create({ accountId: account.id, plan, name, expiresAt: null, actor: SYSTEM_ACTOR });
    invariant(made.outcome === 'created', 'a new account has no key yet');
    return { account, key: made.issued.secret.reveal(), keyId: made.issued.key.id };
  }

  async recordsOf(accountId: AccountId): Promise<readonly UsageRecord[]> {
    const usage = this.gateway(0).container.get(services.usage);
    const query = { ...NO_USAGE_FILTERS, accountId, limit: PAGE };
    const records: UsageRecord[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await usage.list({ ...query, cursor });
      invariant(page !== null, 'the cursor is one of this account');
      records.push(...page.records);
      cursor = page.nextCursor;
    }
    return records;
  }

  /** Balance of an account in service tokens. */
  async balanceOf(accountId: AccountId): Promise<{ readonly available: string; readonly reserved: string }> {
    const balance = await this.gateway(0).container.get(services.ledger).balanceOf(accountId);
    invariant(balance !== null, 'the account exists');
    return { available: availableOf(balance).toString(), reserved: balance.reserved.toString() };
  }

  async differences(): Promise<readonly unknown[]> {
    return (await this.gateway(0).container.get(services.ledgerAudit).verify()).differences;
  }

  async close(): Promise<void> {
    const { ground, upstream, folder } = this.parts;
    await upstream.close();
    await Promise.all(this.gateways.map((gateway) => gateway.close()));
    await ground.stop();
    rmSync(folder, { recursive: true });
  }
}
