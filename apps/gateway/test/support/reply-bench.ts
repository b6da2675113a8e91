import { type ManualClock, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { LinearTokenEstimator, UpstreamRouter } from '@tollgate/adapters-upstream';
import type { Model, UsageRecord } from '@tollgate/core';
import { NO_USAGE_FILTERS, type TokenCounter, tokenCount, type UpstreamTimeouts } from '@tollgate/core';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { aModel, testCatalogue } from '../../src/test-support/test-catalogue.js';
import { type ClientFormat, type ReceivedReply, UPSTREAMS } from './client-formats.js';

export interface ReplyBenchOptions {
  readonly client: ClientFormat;
  readonly kind: keyof typeof UPSTREAMS;
  /** Models by slug, which is also the name at the upstream. */
  readonly models: Readonly<Record<string, Partial<Model>>>;
  readonly timeouts?: Partial<UpstreamTimeouts>;
  readonly settings?: Partial<GatewaySettings>;
}

interface Asking {
  readonly stream: boolean;
  /** Maximum output tokens; `null`: none is sent. */
  readonly maximum?: number | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | null;
}

/** The real estimator; it also records the output that it counts. */
class WatchedEstimator extends LinearTokenEstimator {
  characters = 0;
  counters = 0;

  override startCounter(): TokenCounter {
    const counter = super.startCounter();
    this.counters += 1;
    const add = counter.add.bind(counter);
    counter.add = (text) => {
      this.characters += text.length;
      add(text);
    };
    return counter;
  }
}

/** A gateway with the real token estimator and a scripted upstream, both on real ports, with a manual clock. */
export class ReplyBench {
  private constructor(
    readonly upstream: ScriptedUpstream, readonly gateway: TestGateway, private readonly router: UpstreamRouter, private readonly client: ClientFormat,
    private readonly estimator: WatchedEstimator,
  ) {}

  get clock(): ManualClock {
    return this.gateway.clock;
  }

  /** Number of output characters received for all requests. */
  get outputReceived(): number {
    return this.estimator.characters;
  }

  static async start({ client, kind, models, timeouts, settings }: ReplyBenchOptions): Promise<ReplyBench> {
    const upstream = await startScriptedUpstream();
    const estimator = new WatchedEstimator();
    const definition = UPSTREAMS[kind](upstream);
    const withTimeouts = definition.kind === 'sandbox' ? definition : { ...definition, options: { timeouts: timeouts ?? {} } };
    let router: UpstreamRouter | null = null;
    const contents = testCatalogue({ requestsPerMinute: 10_000, concurrentRequests: 100, tokensPerMinute: tokenCount(100_000_000) });
    const gateway = await startTestGateway({
      credit: '1000000',
      ...(settings === undefined ? {} : { settings }),
      services: ({ clock }) => ({
        provider: router = new UpstreamRouter([withTimeouts], { clock, ids: new SequentialIds() }),
        estimator,
        catalogue: new StaticCatalogue({ ...contents, models: Object.entries(models).map(([slug, differences]) => aModel(slug, differences)) }),
      }),
    });
    if (router === null) throw new Error('the gateway was started without its services');
    return new ReplyBench(upstream, gateway, router, client, estimator);
  }

  /** Number of requests that the upstream has accepted. Each creates two counters: one for thinking, one for visible output. */
  get accepted(): number {
    return this.estimator.counters / 2;
  }

  get isIdle(): boolean {
    return this.gateway.gateway.runningRequests === 0;
  }

  /** Resolves with the headers, so that the test can read the body as it arrives. */
  send(model: string, { stream, maximum = null, headers = {}, signal = null }: Asking): Promise<Response> {
    const limit = maximum === null ? '' : `, "${this.client.outputField}": ${maximum}`;
    return this.gateway.fetch(this.client.path, { method: 'POST', headers, signal, body: `${this.client.least}, "model": "${model}"${limit}, "stream": ${stream} }` });
  }

  async ask(model: string, asking: Asking): Promise<ReceivedReply> {
    const body = await (await this.send(model, asking)).text();
    return asking.stream ? this.client.readStream(body) : this.client.readWhole(body);
  }

  /** Usage record of the latest request. */
  async record(): Promise<UsageRecord> {
    const { store } = this.gateway.parts;
    const page = await store.usage.list({ ...NO_USAGE_FILTERS, accountId: this.gateway.caller.account.id, limit: 1, cursor: null });
    const record = page?.records[0];
    if (record === undefined) throw new Error('no request was recorded');
    return record;
  }

  async close(): Promise<void> {
    await this.upstream.close();
    await this.gateway.close();
    await this.router.close();
  }
}
