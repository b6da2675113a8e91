import {
  type GenerationRequest, instant, type Model, type ModelSlug, Price, type ProviderCall, type RequestId, tokenCount, type Turn,
} from '@tollgate/core';

export function aModel(changes: Partial<Model> = {}): Model {
  return {
    slug: 'small' as ModelSlug, displayName: 'Small', ownedBy: 'tests', createdAt: instant(0), aliases: ['tiny*'],
    contextWindowTokens: tokenCount(32_000), maxOutputTokens: tokenCount(4_000), reasoning: false, simulated: false,
    price: NO_PRICE, targets: [{ upstreamId: 'main', upstreamModel: 'scripted-model' }], fallbacks: [],
    ...changes,
  };
}

export function aRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    model: 'small', conversation: { system: [], turns: [says('Hi')] }, tools: [], toolChoice: null, parallelToolCalls: null,
    maxOutputTokens: null, sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
    stopSequences: [], reasoning: 'model-default', responseFormat: 'text', attribution: null,
    ...changes,
  };
}

export function says(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export interface CallChanges extends Partial<Omit<ProviderCall, 'request' | 'model'>> {
  readonly request?: Partial<GenerationRequest>;
  readonly model?: Partial<Model>;
}

export function aCall({ request, model, ...changes }: CallChanges = {}): ProviderCall {
  return {
    requestId: 'req_1' as RequestId, model: aModel(model), target: { upstreamId: 'main', upstreamModel: 'scripted-model' },
    request: aRequest(request), maxOutputTokens: tokenCount(1_000), delivery: 'stream', signal: new AbortController().signal,
    ...changes,
  };
}
