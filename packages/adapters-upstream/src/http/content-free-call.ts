import { type CancelSignal, type GenerationRequest, type ProviderCall, type Reasoning, type RequestId, type TokenCount, tokenCount } from '@tollgate/core';
import { NO_ACCOUNT } from './connection-places.js';

/** What circuit breakers and probes know about a client's call; none of its content. */
export type CallFacts = Pick<ProviderCall, 'requestId' | 'accountId' | 'model' | 'target'>;

export interface OwnCall {
  readonly requestId: RequestId;
  readonly signal: CancelSignal;
  /** Reasoning of the call; default `off`. */
  readonly reasoning?: Reasoning;
  /** Output limit of the call; default 1. */
  readonly maxOutputTokens?: TokenCount;
}

const MIN_OUTPUT = tokenCount(1);

function smallestRequest(model: string, maxOutputTokens: TokenCount, reasoning: Reasoning): GenerationRequest {
  return {
    model,
    conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxOutputTokens,
    sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
    stopSequences: [],
    reasoning,
    responseFormat: 'text',
    outputSchema: null,
    attribution: null,
    source: null,
  };
}

/**
 * A call of the gateway itself to the given model and upstream. Its prompt is one word; it contains no client's content and belongs to no account.
 */
export function contentFreeCall({ model, target }: Pick<CallFacts, 'model' | 'target'>, { requestId, signal, reasoning = 'off', maxOutputTokens = MIN_OUTPUT }: OwnCall): ProviderCall {
  return { requestId, accountId: NO_ACCOUNT, model, target, request: smallestRequest(model.slug, maxOutputTokens, reasoning), maxOutputTokens, delivery: 'stream', signal };
}
