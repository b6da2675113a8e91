import { type CatalogueContents, type ModelSlug, type Plan, type PlanId, type PlanLimits, tokenCount, type UpstreamDefinition } from '@tollgate/core';
import { SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { InstallationSecret } from '@tollgate/adapters-node';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { startTestGateway, type TestCaller, type TestGateway } from '../../../src/test-support/start-test-gateway.js';
import { aModel, aPlan, TEST_PLAN, testCatalogue } from '../../../src/test-support/test-catalogue.js';

export interface WireWorldOptions {
  /** Slugs of reasoning models, which have the same names at the upstream. */
  readonly models: readonly string[];
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
  /** Limits of the first caller. */
  readonly limits?: Partial<PlanLimits>;
}

/** Limits so high that no test reaches them by accident. */
const AMPLE: Partial<PlanLimits> = { requestsPerMinute: 100_000, tokensPerMinute: tokenCount(1_000_000_000), concurrentRequests: 1000 };
const ONE_A_MINUTE = 'one-a-minute' as PlanId;

/** A gateway and a scripted upstream on real ports, with a manual clock. Close it after the test. */
export class WireWorld {
  private constructor(readonly upstream: ScriptedUpstream, readonly gateway: TestGateway, private readonly router: UpstreamRouter) {}

  static async start(options: WireWorldOptions): Promise<WireWorld> {
    const upstream = await startScriptedUpstream();
    const contents = contentsOf(options);
    let router: UpstreamRouter | null = null;
    const gateway = await startTestGateway({
      credit: '1000000',
      services: ({ clock }) => {
        router = new UpstreamRouter([options.definition(upstream)], { clock, ids: new SequentialIds() });
        return { catalogue: new StaticCatalogue(contents), provider: router, secret: new InstallationSecret(new Uint8Array(32), null) };
      },
    });
    if (router === null) throw new Error('the gateway was started without its services');
    return new WireWorld(upstream, gateway, router);
  }

  get url(): string {
    return this.gateway.url;
  }

  /** Adds a caller whose second request within a minute is refused. */
  addCallerOfOneRequest(name: string): Promise<TestCaller> {
    return this.gateway.addCaller(name.replaceAll(/[^a-z0-9]+/gi, '-'), { planId: ONE_A_MINUTE });
  }

  async close(): Promise<void> {
    await this.upstream.close();
    await this.gateway.close();
    await this.router.close();
  }
}

function contentsOf({ models, aliases = {}, limits = {} }: WireWorldOptions): CatalogueContents {
  const oneAMinute: Plan = { ...aPlan({ ...AMPLE, requestsPerMinute: 1 }), id: ONE_A_MINUTE, name: 'One a minute' };
  return {
    ...testCatalogue(),
    models: models.map((slug) => aModel(slug, {
      reasoning: true,
      aliases: aliases[slug] ?? [],
      contextWindowTokens: tokenCount(128_000),
      maxOutputTokens: tokenCount(32_000),
      targets: [{ upstreamId: 'scripted', upstreamModel: slug }],
      fallbacks: [] as readonly ModelSlug[],
    })),
    plans: [{ ...aPlan({ ...AMPLE, ...limits }), id: TEST_PLAN }, oneAMinute],
  };
}
