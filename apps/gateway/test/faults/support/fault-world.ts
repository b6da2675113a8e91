import { type Clock, invariant, type PlanId, type PlanLimits, type RequestId, ServiceTokens, tokenCount } from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { StaticCatalogue } from '@tollgate/adapters-memory';
import type { SqlStore } from '@tollgate/sql-common';
import { endStep, Gate, OneTokenPerCharacter, ScriptedProvider, textSteps } from '@tollgate/testkit';
import { join } from 'node:path';
import { addCaller, rebind, type TestCaller } from '../../../src/test-support/start-test-gateway.js';
import { createGateway } from '../../../src/composition/container.js';
import type { Gateway } from '../../../src/gateway/gateway.js';
import { aPlan, testCatalogue } from '../../../src/test-support/test-catalogue.js';
import { ask, type Outcome, WAYS } from './ask.js';
import { BookWatch } from './book-watch.js';
import type { FaultDatabase } from './fault-database.js';
import { Load } from './load.js';
import { patiently } from './patiently.js';

export interface FaultWorldOptions {
  readonly database: FaultDatabase;
  /** Number of gateways; default 1. */
  readonly gateways?: number;
  readonly environment?: Environment;
  readonly limits?: Partial<PlanLimits>;
  /** Clock of the gateway with this number; default: the system's. */
  readonly clock?: (number: number) => Clock;
  /** Credit of the caller in service tokens; default 1,000,000. */
  readonly credit?: string;
}

export const SLOTS = 64;
/** Limits so high that only a fault refuses requests. */
const WIDE: Partial<PlanLimits> = { requestsPerMinute: 1_000_000, tokensPerMinute: tokenCount(1_000_000_000), concurrentRequests: SLOTS };

/** A plan with a small limit per minute. */
export const LIMITED_PLAN = 'limited' as PlanId;
export const LIMITED_REQUESTS = 20;

function catalogueWith(limits: Partial<PlanLimits>): StaticCatalogue {
  const contents = testCatalogue({ ...WIDE, ...limits });
  const limited = { ...aPlan({ ...WIDE, requestsPerMinute: LIMITED_REQUESTS }), id: LIMITED_PLAN };
  return new StaticCatalogue({ ...contents, plans: [...contents.plans, limited] });
}

/** Pieces of every reply. Usage is not reported, so the gateway's count is billed: one token per character. */
export const PIECES = ['Once ', 'upon a ', 'time ', 'there was ', 'a meter.'] as const;
export const REPLY = PIECES.join('');

/** Real gateways on sockets over a database that can fail. Only the models are scripted. */
export class FaultWorld {
  readonly provider = new ScriptedProvider();
  readonly gateways: Gateway[] = [];
  #gate = new Gate();

  private constructor(readonly options: FaultWorldOptions, readonly auditor: SqlStore, readonly watch: BookWatch) {
    this.provider.script('small', { steps: [...textSteps(...PIECES), endStep(null)] });
    this.hold();
  }

  static async start(options: FaultWorldOptions): Promise<FaultWorld> {
    const auditor = await options.database.open();
    const world = new FaultWorld(options, auditor, await BookWatch.start(options.database, auditor));
    for (let number = 0; number < (options.gateways ?? 1); number += 1) await world.startGateway(number);
    return world;
  }

  #caller: TestCaller | null = null;

  get caller(): TestCaller {
    invariant(this.#caller !== null, 'a world that has started has a caller');
    return this.#caller;
  }

  get urls(): readonly string[] {
    return this.gateways.map(({ url }) => url);
  }

  /** True if the gateways count limits together, in Redis. */
  get sharesLimits(): boolean {
    return this.options.environment?.['REDIS_URL'] !== undefined;
  }

  get first(): Gateway {
    const [first] = this.gateways;
    invariant(first !== undefined, 'there is a gateway');
    return first;
  }

  /** Outbox file by gateway number. */
  outboxFile(number = 0): string {
    return join(this.options.database.folder, `outbox-${number}`);
  }

  /** Starts a new gateway, or one that was closed by `closeGateway`. */
  async startGateway(number: number): Promise<Gateway> {
    const { database, environment, limits, clock, credit = '1000000' } = this.options;
    const gateway = await createGateway({
      PORT: '0', LOG_LEVEL: 'silent', METRICS_PORT: '0', UNBILLED_PER_MINUTE_ACCOUNT: '0', DATABASE_URL: database.url, OUTBOX_FILE: this.outboxFile(number), SHUTDOWN_GRACE_SECONDS: '0', ...environment,
    }, (container) => rebind(container, {
      catalogue: catalogueWith(limits ?? {}), provider: this.provider, estimator: new OneTokenPerCharacter(),
      ...(clock === undefined ? {} : { clock: clock(number) }),
    }));
    this.gateways[number] = gateway;
    this.#caller ??= await addCaller(gateway, 'first', { credit });
    return gateway;
  }

  load(clients: number): Load {
    return new Load(this.urls, clients, { key: this.caller.key, model: 'small' });
  }

  /** Sends a whole and a streamed request in each format. */
  askAllWays(model = 'small', url = this.first.url): readonly Promise<Outcome>[] {
    return Array.from({ length: WAYS }, (_, number) => ask({ url, key: this.caller.key, model, number }));
  }

  /** Makes later requests to `halting` pause after their first piece, until `release`. */
  hold(): void {
    const [first, ...rest] = textSteps(...PIECES);
    invariant(first !== undefined, 'a reply has pieces');
    this.#gate = new Gate();
    this.provider.script('halting', { steps: [first, { type: 'wait', gate: this.#gate }, ...rest, endStep(null)] });
  }

  release(): void {
    this.#gate.open();
  }

  /** Value of a metric without labels. */
  async metric(name: string, gateway = this.first): Promise<number> {
    const text = await (await fetch(gateway.metricsUrl ?? '')).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
  }

  /** Waits until `/readyz` has this status. The status depends on the lease, which is renewed every 5 s. */
  readiness(status: 200 | 503, gateway = this.first): Promise<void> {
    return patiently(async () => (await fetch(`${gateway.url}/readyz`)).status === status);
  }

  async held(): Promise<number> {
    const [row] = await this.options.database.rows("select count(*) as n from reservations where state = 'held'");
    return Number(row?.['n']);
  }

  async records(): Promise<number> {
    const [row] = await this.options.database.rows('select count(*) as n from usage_records');
    return Number(row?.['n']);
  }

  /** The amounts charged to each request, in service tokens, including late charges. */
  async charged(requests: readonly { readonly requestId: string }[]): Promise<readonly string[]> {
    const rows = await this.options.database.rows("select request_id, amount from ledger_entries where kind in ('charge', 'late-charge')");
    const sums = new Map<string, ServiceTokens>();
    for (const { request_id: id, amount } of rows) {
      sums.set(String(id), (sums.get(String(id)) ?? ServiceTokens.ZERO).plus(ServiceTokens.fromUnits(BigInt(String(amount)))));
    }
    return requests.map(({ requestId }) => (sums.get(requestId) ?? ServiceTokens.ZERO).toString());
  }

  record(requestId: string) {
    return this.auditor.usage.find(this.caller.account.id, requestId as RequestId);
  }

  /** Closes the gateways. Throws if the books were wrong at any time. */
  async close(): Promise<void> {
    this.release();
    await this.watch.stop();
    if (this.watch.violations.length > 0) throw new Error(`the books were wrong: ${this.watch.violations.join('\n')}`);
    await Promise.all(this.gateways.map((gateway) => gateway.close()));
    await this.auditor.close();
    await this.options.database.remove();
  }
}
