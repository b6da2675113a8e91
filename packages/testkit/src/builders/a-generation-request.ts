import type { GenerationRequest } from '@tollgate/core';

/** One user turn that says `Hello` to the model `small`, and nothing else said. */
export function aGenerationRequest(differences: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    model: 'small',
    conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxOutputTokens: null,
    sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
    stopSequences: [],
    reasoning: 'model-default',
    responseFormat: 'text',
    outputSchema: null,
    attribution: null,
    ...differences,
  };
}
