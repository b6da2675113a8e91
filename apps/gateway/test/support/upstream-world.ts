import { ManualClock, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { InstallationSecret } from '@tollgate/adapters-node';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import type { JsonObject, Model, TokenCount, UpstreamDefinition } from '@tollgate/core';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { type Replacements, startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { aModel, testCatalogue } from '../../src/test-support/test-catalogue.js';

export const KINDS = ['openai', 'anthropic', 'responses'] as const;
export type Kind = (typeof KINDS)[number];

export const PATHS = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' } as const;
export type ClientFormat = keyof typeof PATHS;
export const CLIENT_FORMATS = Object.keys(PATHS) as ClientFormat[];

export const DELIVERIES = [false, true] as const;

export interface WorldServer {
  readonly kind: Kind;
  readonly options?: JsonObject;
}

/** Upstreams `u0`, `u1` …, each with a model named after it. */
export class UpstreamWorld {
  private constructor(readonly gateway: TestGateway, readonly upstreams: readonly ScriptedUpstream[], private readonly router: UpstreamRouter) {}

  static async start(servers: readonly WorldServer[], model: Partial<Model> = {}, services: Replacements = {}): Promise<UpstreamWorld> {
    const upstreams = await Promise.all(servers.map(() => startScriptedUpstream()));
    const definitions = servers.map(({ kind, options }, index): UpstreamDefinition => ({
      id: `u${index}`, kind, baseUrl: upstreams[index]?.baseUrl ?? '', apiKey: null, ...(options === undefined ? {} : { options }),
    }));
    const router = new UpstreamRouter(definitions, { clock: new ManualClock(), ids: new SequentialIds() });
    const limits = { requestsPerMinute: 100_000, tokensPerMinute: 1_000_000_000 as TokenCount, concurrentRequests: 100 };
    const catalogue = testCatalogue(limits);
    const models = definitions.map(({ id }, index) => aModel(id, {
      ...(servers[index]?.options?.['jsonSchema'] === 'schema' ? { readsSchemas: true } : {}), reasoning: true, contextWindowTokens: 100_000 as TokenCount, maxOutputTokens: 8_000 as TokenCount, targets: [{ upstreamId: id, upstreamModel: id }], ...model,
    }));
    const gateway = await startTestGateway({
      limits,
      services: { ...services, provider: router, secret: new InstallationSecret(new Uint8Array(32).fill(7), null), catalogue: new StaticCatalogue({ ...catalogue, models: [...catalogue.models, ...models] }) },
    });
    return new UpstreamWorld(gateway, upstreams, router);
  }

  upstream(index = 0): ScriptedUpstream {
    const upstream = this.upstreams[index];
    if (upstream === undefined) throw new Error(`there is no upstream ${index}`);
    return upstream;
  }

  /** Body of the reply. Throws unless the status is 200. */
  async ask(format: ClientFormat, body: JsonObject, key?: string): Promise<string> {
    const bounds = format === 'responses' ? { max_output_tokens: 4_000, store: false } : { max_tokens: 4_000 };
    const reply = await this.gateway.post(PATHS[format], { model: 'u0', ...bounds, ...body }, key === undefined ? {} : { authorization: `Bearer ${key}` });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${reply.status} ${text}`);
    return text;
  }

  /** Usage records of the caller, or of the given key's account, newest first. */
  async usage(key?: string): Promise<readonly { readonly usage: JsonObject }[]> {
    const reply = await this.gateway.fetch('/v1/usage', key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });
    return ((await reply.json()) as { readonly data: readonly { readonly usage: JsonObject }[] }).data;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
    await this.router.close();
  }
}
