import { type CancelSignal, type GenerationRequest, type ProviderCall, type RequestId, tokenCount } from '@tollgate/core';
import type { CallFacts } from './circuit.js';

const LEAST_OUTPUT = tokenCount(1);

function smallestRequest(model: string): GenerationRequest {
  return {
    model,
    conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxOutputTokens: LEAST_OUTPUT,
    sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
    stopSequences: [],
    reasoning: 'off',
    responseFormat: 'text',
    outputSchema: null,
    attribution: null,
    source: null,
  };
}

/** A call to the same model of the same upstream that holds nothing of a client's: one word, for one token. */
export function contentFreeCall({ accountId, model, target }: CallFacts, requestId: RequestId, signal: CancelSignal): ProviderCall {
  return { requestId, accountId, model, target, request: smallestRequest(model.slug), maxOutputTokens: LEAST_OUTPUT, delivery: 'stream', signal };
}
