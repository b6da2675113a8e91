import type { Container } from 'inversify';
import {
  type Account, type ApiKeyId, type AuditPage, type AuditRecord, type Instant, invariant, MAX_AUDIT_PAGE, MILLISECONDS_PER_DAY, NO_AUDIT_FILTERS, type PlanId, type PlanLimits, type ProcessId, ServiceTokens,
  type StandingFacts, SYSTEM_ACTOR,
} from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { ManualClock, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { OWN_TOKEN_WORD } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { changeStanding, OneTokenPerCharacter, ScriptedProvider } from '@tollgate/testkit';
import { services, type Services } from '../composition/services.js';
import { createGateway } from '../composition/container.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';
import type { Gateway } from '../gateway/gateway.js';
import { createLog } from '../observability/create-log.js';
import { UpstreamHealth } from '../observability/upstream-health.js';
import { UpstreamLog } from '../observability/upstream-log.js';
import { SERVER_LIMITS } from '../http/server/create-server.js';
import { checkingReplies, expectDescribed } from './described-replies.js';
import { aPlan, TEST_PLAN, testCatalogue, TestPlatform, textReply } from './test-catalogue.js';

/** Services by their names in `services`. */
export type Replacements = Partial<Services>;

/** Replaces services by name. A replaced store comes without a secret, and a replaced log without the writer to standard error. */
export function rebind(container: Container, replacements: Replacements): void {
  const { store, log } = replacements;
  const all = { ...(store === undefined ? {} : { secret: null }), ...(log === undefined ? {} : { logWriter: null }), ...replacements };
  for (const name of Object.keys(all) as (keyof Services)[]) container.rebind<unknown>(services[name]).toConstantValue(all[name]);
  container.onActivation(services.app, (_context, app) => checkingReplies(app));
}

export interface TestGatewayOptions {
  readonly limits?: Partial<PlanLimits>;
  readonly credit?: string;
  readonly settings?: Partial<GatewaySettings>;
  /** Override the store in memory and the scripted provider; a function gets the common parts. */
  readonly services?: Replacements | ((parts: TestParts) => Replacements);
}

export interface TestCaller {
  readonly account: Account;
  readonly key: string;
  readonly keyId: ApiKeyId;
}

interface TestCallerOptions {
  readonly credit?: string;
  readonly planId?: PlanId;
  readonly expiresAt?: Instant;
}

const PROCESS = 'process_1' as ProcessId;
const DEFAULT_CREDIT = '1000';
/** Less than a millisecond per hash. */
export const WEAK_ARGON2 = { memory: 8, passes: 1, parallelism: 1 };
const ENVIRONMENT: Environment = { DATABASE_URL: 'sqlite::memory:' };

export const TEST_SETTINGS: GatewaySettings = {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
  bodyBytesInFlight: 67_108_864,
  unbilledPerMinuteAccount: 0,
  unbilledPerMinuteAddress: 0,
  refusalDelayMilliseconds: 0,
  answerStepMilliseconds: 0,
  shutdownDelayMilliseconds: 0,
  shutdownGraceMilliseconds: 30_000,
  reservationLifetimeMilliseconds: 1_000_000,
  earlyHeadersMilliseconds: 15_000,
  server: SERVER_LIMITS,
  connections: { maximum: 10_000, maximumPerAddress: 512, exemptNetworks: ['127.0.0.0/8'] },
  dashboard: { publicUrl: null, hosts: [], signUp: 'open', secondFactor: 'none', signupCredit: null, signupCreditDays: null, creditLine: null, issuer: null, operatorNetworks: [] },
  brand: { name: 'Tollgate', logoFile: null, accent: null, tokenWord: OWN_TOKEN_WORD, supportUrl: null, imprintUrl: null, termsUrl: null, privacyUrl: null, documents: [] },
  responsesKeptMilliseconds: MILLISECONDS_PER_DAY,
  deletionGraceMilliseconds: 30 * MILLISECONDS_PER_DAY,
  eventsKeptMilliseconds: 90 * MILLISECONDS_PER_DAY,
  lowBalanceAlerts: [{ percent: 20 }, { percent: 5 }],
  priceNoticeMilliseconds: 14 * MILLISECONDS_PER_DAY,
  metrics: null,
  ledgerVerifyMilliseconds: null,
  mode: 'development',
};

export class TestParts {
  readonly platform = new TestPlatform();
  readonly provider = new ScriptedProvider();
  readonly catalogue: StaticCatalogue;
  /** One object per line. */
  readonly logged: Readonly<Record<string, unknown>>[] = [];

  private constructor(readonly clock: ManualClock, readonly store: SqlStore, limits: Partial<PlanLimits>) {
    this.catalogue = new StaticCatalogue(testCatalogue(limits));
    for (const { slug } of this.catalogue.current().models) this.provider.script(slug, textReply('Hello', ' there'));
  }

  static async open(limits: Partial<PlanLimits>): Promise<TestParts> {
    const clock = new ManualClock();
    return new TestParts(clock, await storeInMemory(clock, PROCESS), limits);
  }

  replacements({ settings, services: chosen }: TestGatewayOptions): Replacements {
    const { clock, store, platform, catalogue, provider, logged } = this;
    const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
    const upstreamLog = new UpstreamLog({ log, clock });
    return {
      settings: { ...TEST_SETTINGS, ...settings },
      log, clock, store, platform, catalogue, provider,
      ids: new SequentialIds(),
      processId: PROCESS,
      passwordHasher: new Argon2Hasher(WEAK_ARGON2),
      mail: { openTransport: () => Promise.reject(new Error('a test gateway delivers no mail')), pollMilliseconds: null },
      upstreams: { circuits: () => [], failures: upstreamLog.failures, probes: upstreamLog.probes, emptyEvents: upstreamLog.emptyEvents, health: new UpstreamHealth(clock, upstreamLog), definitions: () => [] },
      estimator: new OneTokenPerCharacter(),
      ...(typeof chosen === 'function' ? chosen(this) : chosen),
    };
  }
}

/** A gateway with an account. Close it after the test. */
export class TestGateway {
  private constructor(readonly parts: TestParts, readonly gateway: Gateway, readonly caller: TestCaller) {}

  static async start(options: TestGatewayOptions): Promise<TestGateway> {
    const parts = await TestParts.open(options.limits ?? {});
    const gateway = await createGateway(ENVIRONMENT, (container) => rebind(container, parts.replacements(options)));
    return new TestGateway(parts, gateway, await addCaller(gateway, 'first', { credit: options.credit ?? DEFAULT_CREDIT }));
  }

  get url(): string {
    return this.gateway.url;
  }

  get clock(): ManualClock {
    return this.parts.clock;
  }

  get provider(): ScriptedProvider {
    return this.parts.provider;
  }

  addCaller(name: string, options: TestCallerOptions = {}): Promise<TestCaller> {
    return addCaller(this.gateway, name, options);
  }

  change(differences: Partial<StandingFacts>): Promise<void> {
    return changeStanding(this.parts.store.accounts, this.caller.account.id, differences, { actor: SYSTEM_ACTOR, at: this.clock.now() });
  }

  /** Sends a request, by default as the first account and with JSON. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization') && !headers.has('x-api-key')) headers.set('authorization', `Bearer ${this.caller.key}`);
    if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    return fetch(`${this.url}${path}`, { ...init, headers });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** The audit log, oldest entry first. */
  async trail(): Promise<readonly AuditRecord[]> {
    const records: AuditRecord[] = [];
    let cursor: string | null = null;
    do {
      const page: AuditPage | null = await this.parts.store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: MAX_AUDIT_PAGE, cursor });
      records.push(...page?.records ?? []);
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return records.toReversed();
  }

  /** Closes the gateway; the store stays readable. */
  async close(): Promise<void> {
    await this.gateway.close();
    expectDescribed();
  }
}

type CallerMaker = Pick<Gateway, 'accountAdministration' | 'keyManagement'>;

/** Creates a caller as an operator would. */
export async function addCaller(gateway: CallerMaker, name: string, options: TestCallerOptions): Promise<TestCaller> {
  const { accountAdministration, keyManagement } = gateway;
  const created = await accountAdministration.create({
    email: `${name}@example.test`, name, planId: options.planId ?? TEST_PLAN, emailVerified: true, actor: SYSTEM_ACTOR,
  });
  invariant(created.outcome === 'created', 'a test names each account once');
  const { account } = created;
  const amount = ServiceTokens.parse(options.credit ?? DEFAULT_CREDIT);
  if (!amount.isZero()) await accountAdministration.credit({ accountId: account.id, amount, reference: 'first', actor: SYSTEM_ACTOR });
  const made = await keyManagement.create({
    accountId: account.id, plan: aPlan(), name: 'first', expiresAt: options.expiresAt ?? null, actor: SYSTEM_ACTOR,
  });
  invariant(made.outcome === 'created', 'a new account has no key yet');
  return { account, key: made.issued.secret.reveal(), keyId: made.issued.key.id };
}

/** A gateway over SQLite in memory, with a manual clock and a scripted provider. */
export function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return TestGateway.start(options);
}
