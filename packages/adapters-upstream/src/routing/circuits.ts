import { type CancelSignal, type GenerationRequest, type ProviderCall, type RequestId, tokenCount } from '@tollgate/core';
import { type CallFacts, Circuit, type CircuitPorts, type CircuitState } from './circuit.js';

/** More than catalogues have models; those of models that left the catalogue are dropped first. */
const MOST_CIRCUITS = 1_000;

/** The circuits of one upstream, by the names of its models. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  constructor(private readonly ports: CircuitPorts) {}

  of(upstreamModel: string): Circuit {
    const known = this.#circuits.get(upstreamModel);
    if (known !== undefined) return known;
    if (this.#circuits.size >= MOST_CIRCUITS) this.#makeRoom();
    const circuit = new Circuit(this.ports);
    this.#circuits.set(upstreamModel, circuit);
    return circuit;
  }

  states(): readonly (readonly [upstreamModel: string, state: CircuitState])[] {
    return [...this.#circuits].map(([upstreamModel, { state }]) => [upstreamModel, state]);
  }

  /** Drops all that know nothing, or else the oldest. */
  #makeRoom(): void {
    for (const [upstreamModel, circuit] of this.#circuits) if (circuit.isIdle) this.#circuits.delete(upstreamModel);
    const [oldest] = this.#circuits.keys();
    if (oldest !== undefined && this.#circuits.size >= MOST_CIRCUITS) this.#circuits.delete(oldest);
  }
}

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
