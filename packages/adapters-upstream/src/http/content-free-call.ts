import { type CancelSignal, type GenerationRequest, type ProviderCall, type Reasoning, type RequestId, type TokenCount, tokenCount } from '@tollgate/core';
import { NO_ACCOUNT } from './connection-places.js';

/** What is kept of a call while it runs: not its content. */
export type CallFacts = Pick<ProviderCall, 'requestId' | 'accountId' | 'model' | 'target'>;

/** How a call of the gateway's own is made. */
export interface OwnCall {
  readonly requestId: RequestId;
  readonly signal: CancelSignal;
  /** `off` unless given. */
  readonly reasoning?: Reasoning;
  /** 1 unless given. */
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

/** A call to the same model of the same upstream that holds nothing of a client's and is of no account: one word, and what is asked about reasoning. */
export function contentFreeCall({ model, target }: Pick<CallFacts, 'model' | 'target'>, { requestId, signal, reasoning = 'off', maxOutputTokens = MIN_OUTPUT }: OwnCall): ProviderCall {
  return { requestId, accountId: NO_ACCOUNT, model, target, request: smallestRequest(model.slug, maxOutputTokens, reasoning), maxOutputTokens, delivery: 'stream', signal };
}
