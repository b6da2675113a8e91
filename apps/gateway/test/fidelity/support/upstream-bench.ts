import { randomUUID } from 'node:crypto';
import {
  type AccountId, assertNever, type GenerationRequest, type Model, type ModelSlug, type RequestId, tokenCount, type WireFormat, type UpstreamDefinition,
} from '@tollgate/core';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import { aModel, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { parseJsonBody } from '../../../src/http/parse-json-body.js';

export type UpstreamKind = 'openai' | 'anthropic' | 'responses';

export interface UpstreamTerms {
  readonly systemTurns: 'in-place' | 'as-user';
  readonly stopSequenceLimit: number;
}

/** The format in which each kind of upstream is addressed. */
export const SPOKEN_FORMATS: Readonly<Record<UpstreamKind, WireFormat>> = {
  openai: chatFormat, anthropic: messagesFormat, responses: responsesFormat({ seal: null, clock: new ManualClock() }),
};

function definitionOf(kind: UpstreamKind, baseUrl: string, terms: UpstreamTerms): UpstreamDefinition {
  const shared = { id: 'upstream', baseUrl, apiKey: null };
  const options = { ...terms, attribution: 'sent', reasoningReplay: 'sent', jsonSchema: 'schema' } as const;
  switch (kind) {
    case 'openai': return { ...shared, kind, options: { ...options, reasoningStyle: 'thinking' } };
    case 'anthropic': return { ...shared, kind, options: { ...options, reasoningStyle: 'adaptive' } };
    case 'responses': return { ...shared, kind, options: { ...options, reasoningStyle: 'effort' } };
    default: return assertNever(kind);
  }
}

/** A provider that sends to a recording server. Close it after the test. */
export class UpstreamBench {
  /** Prefix of the paths of this bench. It excludes late calls by another test's client to a server that had the same port before. */
  private readonly name = randomUUID();
  private readonly router: UpstreamRouter;

  private constructor(private readonly kind: UpstreamKind, private readonly upstream: ScriptedUpstream, terms: UpstreamTerms) {
    this.router = new UpstreamRouter([definitionOf(kind, `${upstream.origin}/${this.name}/v1`, terms)], { clock: new ManualClock(), ids: new SequentialIds() });
  }

  static async start(kind: UpstreamKind, terms: UpstreamTerms): Promise<UpstreamBench> {
    return new UpstreamBench(kind, await startScriptedUpstream(), terms);
  }

  /** The request that the upstream receives for this one, as the gateway's decoder reads it. */
  async understood(request: GenerationRequest): Promise<GenerationRequest> {
    const body = await this.sent(request);
    return SPOKEN_FORMATS[this.kind].decodeRequest(parseJsonBody(Buffer.from(body)).value).generation;
  }

  async sent(request: GenerationRequest): Promise<string> {
    const model: Model = aModel({ slug: 'reasoner' as ModelSlug, reasoning: true });
    const stream = await this.router.open({
      requestId: 'req_1' as RequestId, accountId: 'acct_1' as AccountId, model, target: { upstreamId: 'upstream', upstreamModel: request.model }, request,
      maxOutputTokens: request.maxOutputTokens ?? tokenCount(1_000), delivery: 'stream', signal: new AbortController().signal,
    });
    for (let step = await stream.next(); step.done !== true; step = await stream.next());
    await stream.return();
    const received = this.upstream.requests.splice(0).filter(({ path }) => path.startsWith(`/${this.name}/`));
    const [only] = received;
    if (only === undefined || received.length > 1) throw new Error(`the upstream received ${received.length} requests instead of one`);
    return only.rawBody;
  }

  async close(): Promise<void> {
    await this.upstream.close();
    await this.router.close();
  }
}
