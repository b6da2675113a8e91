import { invariant, type PlanLimits, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { RandomIds } from '@tollgate/adapters-node';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import type { SqlStore } from '@tollgate/sql-common';
import { OneTokenPerCharacter, ScriptedProvider } from '@tollgate/testkit';
import { createGateway } from '../../src/composition/container.js';
import { services } from '../../src/composition/services.js';
import { openSharedLimits, type SharedLimits } from '../../src/adapters/shared-limits.js';
import { createLog } from '../../src/observability/create-log.js';
import { LimiterHealth } from '../../src/observability/limiter-health.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { eventually } from '../../src/test-support/test-client.js';
import { rebind } from '../../src/test-support/start-test-gateway.js';
import { aPlan, TEST_PLAN, testCatalogue, textReply } from '../../src/test-support/test-catalogue.js';

export interface SharingOptions {
  readonly limits: Partial<PlanLimits>;
  readonly redisUrl: string;
  readonly count: number;
  /** Units of unbilled work per account and minute; by default, unlimited. */
  readonly unbilledPerMinuteAccount?: number;
  /** How long commands to Redis may take. Default `patient`, for busy machines; `impatient` for tests of outages. */
  readonly patience?: 'patient' | 'impatient';
}

const LONG_TIMEOUT_MILLISECONDS = 10_000;
const ATTEMPT_MILLISECONDS = 500;

/** Gateways over one store and one Redis, with a common manual clock; Redis has its own. Close them after the test. */
export class SharingGateways {
  readonly provider = new ScriptedProvider();
  readonly gateways: Gateway[] = [];
  readonly logged: Readonly<Record<string, unknown>>[] = [];
  readonly #shared: SharedLimits[] = [];
  readonly #health: LimiterHealth[] = [];
  #key = '';

  private constructor(private readonly options: SharingOptions, readonly clock: ManualClock, readonly store: SqlStore) {}

  static async start(options: SharingOptions): Promise<SharingGateways> {
    const clock = new ManualClock();
    const sharing = new SharingGateways(options, clock, await storeInMemory(clock));
    for (let opened = 0; opened < options.count; opened += 1) sharing.gateways.push(await sharing.open());
    await sharing.addCaller();
    return sharing;
  }

  get messages(): readonly unknown[] {
    return this.logged.map(({ msg }) => msg);
  }

  /** Sends a request to the gateway at index `number`, modulo the number of gateways. */
  post(number: number, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const gateway = this.gateways[number % this.gateways.length];
    invariant(gateway !== undefined, 'there is at least one gateway');
    return fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${this.#key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'small', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...body }),
    });
  }

  async knowEachOther(): Promise<void> {
    await this.advancingUntil(() => this.#shared.every((shared) => shared.liveGateways() === this.options.count));
  }

  /** Resolves once all gateways use Redis again. */
  async recovery(): Promise<void> {
    await this.advancingUntil(() => this.#health.every(({ isLocal }) => !isLocal));
  }

  async close(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.close()));
    await this.store.close();
  }

  /** Advances the clock by intervals of reconnection until the condition holds. */
  private async advancingUntil(condition: () => boolean): Promise<void> {
    await eventually(() => {
      if (condition()) return true;
      this.clock.advance(ATTEMPT_MILLISECONDS);
      return false;
    });
  }

  private async open(): Promise<Gateway> {
    const { clock, provider, store, options } = this;
    const ids = new RandomIds();
    const log = createLog('info', { write: (line) => void this.logged.push(JSON.parse(line) as Record<string, unknown>) });
    const limiterHealth = new LimiterHealth(log);
    const catalogue = new StaticCatalogue(testCatalogue(options.limits));
    for (const { slug } of catalogue.current().models) provider.script(slug, textReply('Hello'));
    const shared = await openSharedLimits({
      redis: { url: options.redisUrl }, clock, processId: ids.processId(), usage: store.usage, log, health: limiterHealth,
      ...(options.patience === 'impatient' ? {} : { commandTimeoutMilliseconds: LONG_TIMEOUT_MILLISECONDS }),
    });
    this.#shared.push(shared);
    this.#health.push(limiterHealth);
    const gateway = await createGateway({ PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent', UNBILLED_PER_MINUTE_ACCOUNT: `${options.unbilledPerMinuteAccount ?? 0}` }, (container) => {
      rebind(container, { store, catalogue, provider, clock, ids, log, limits: shared, estimator: new OneTokenPerCharacter() });
      container.rebind(LimiterHealth).toConstantValue(limiterHealth);
      container.onActivation(services.settings, (_context, settings) => ({ ...settings, refusalDelayMilliseconds: 0 }));
    });
    const close = gateway.close.bind(gateway);
    return Object.assign(gateway, { close: () => close().then(() => shared.close()) });
  }

  private async addCaller(): Promise<void> {
    const [first] = this.gateways;
    invariant(first !== undefined, 'there is at least one gateway');
    const { accountAdministration, keyManagement } = first;
    const created = await accountAdministration.create({
      email: 'first@example.test', name: 'First', planId: TEST_PLAN, emailVerified: true, actor: SYSTEM_ACTOR,
    });
    invariant(created.outcome === 'created', 'the store is new');
    const accountId = created.account.id;
    await accountAdministration.credit({ accountId, amount: ServiceTokens.parse('100000'), reference: 'first', actor: SYSTEM_ACTOR });
    const made = await keyManagement.create({ accountId, plan: aPlan(), name: 'first', expiresAt: null, actor: SYSTEM_ACTOR });
    invariant(made.outcome === 'created', 'a new account has no key yet');
    this.#key = made.issued.secret.reveal();
  }
}
