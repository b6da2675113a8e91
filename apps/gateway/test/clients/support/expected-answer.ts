import { type Answer, type Client, type Delivery, parsedArguments } from './client.js';
import { PROMPT } from './requests.js';
import { OFFERED_TOOLS, type Scenario } from './scenarios.js';
import type { AskedFor } from './upstream-kinds.js';

/** A whole reply that fails is only an error; a stream that fails keeps the output before the failure. */
export function expectedAnswer(scenario: Scenario, delivery: Delivery): Answer {
  const { text, reasoning, toolCalls, usage, breaksAfterPieces } = scenario;
  if (breaksAfterPieces !== null) return brokenOff(scenario, delivery, breaksAfterPieces);
  return {
    text: text.join(''),
    reasoning: reasoning.join(''),
    toolCalls: toolCalls.map((call) => ({ id: call.id, name: call.name, input: parsedArguments([call.arguments].flat().join('') || '{}') })),
    usage: { prompt: usage.prompt, cached: usage.cached, output: usage.output },
    finish: toolCalls.length > 0 ? 'tool-call' : 'end',
    warnings: [],
    error: null,
  };
}

function brokenOff({ text }: Scenario, delivery: Delivery, pieces: number): Answer {
  const nothing: Answer = { text: '', reasoning: '', toolCalls: [], usage: null, finish: 'none', warnings: [], error: { status: 503, code: 'provider_unavailable' } };
  if (delivery === 'whole' || pieces === 0) return nothing;
  return { ...nothing, text: text.slice(0, pieces).join(''), error: { status: null, code: 'provider_unavailable' } };
}

/** The messages format cannot ask for JSON. */
export function expectedDemand({ offersTools, asksForJson, asksForReasoning }: Scenario, { format }: Client): AskedFor {
  return {
    prompt: PROMPT,
    tools: offersTools ? OFFERED_TOOLS.map(({ name }) => name) : [],
    json: asksForJson && format !== 'messages',
    reasoning: asksForReasoning,
  };
}
