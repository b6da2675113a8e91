import { type AccountId, type GenerationRequest, type Model, type ProviderCall, type RequestId, tokenCount, type Turn } from '@tollgate/core';
import { aGenerationRequest, aModel } from '@tollgate/testkit';

export interface CallChanges extends Partial<Omit<ProviderCall, 'request' | 'model'>> {
  readonly request?: Partial<GenerationRequest>;
  readonly model?: Partial<Model>;
}

/** A streamed call for up to 1,000 tokens of `scripted-model` at the upstream `main`. */
export function aCall({ request, model, ...changes }: CallChanges = {}): ProviderCall {
  return {
    requestId: 'req_1' as RequestId,
    accountId: 'acct_1' as AccountId,
    model: aModel(model),
    target: { upstreamId: 'main', upstreamModel: 'scripted-model' },
    request: aGenerationRequest(request),
    maxOutputTokens: tokenCount(1_000),
    delivery: 'stream',
    signal: new AbortController().signal,
    ...changes,
  };
}

export function says(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A conversation without instructions. */
export function turns(...all: readonly Turn[]): Pick<GenerationRequest, 'conversation'> {
  return { conversation: { system: [], turns: all } };
}
