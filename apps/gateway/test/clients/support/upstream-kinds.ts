import type { JsonObject, UpstreamDefinition } from '@tollgate/core';
import { type Behaviour, breaksAfter, type RecordedRequest, replies, type ScriptedReply, type ScriptedUpstream } from '@tollgate/testkit';
import { textAt } from './client.js';
import type { Scenario, ScenarioUsage } from './scenarios.js';

export interface UpstreamKind {
  readonly kind: 'openai' | 'anthropic' | 'responses';
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
  readonly behaviour: (scenario: Scenario) => Behaviour;
  /** Reads what a request asks for, in terms common to all kinds. */
  readonly asked: (request: RecordedRequest) => AskedFor;
}

export interface AskedFor {
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly json: boolean;
  readonly reasoning: boolean;
}

function replyOf({ text, reasoning, toolCalls, toolCallOrder, usage }: Scenario): ScriptedReply {
  return {
    ...(text.length > 0 ? { text } : {}),
    ...(reasoning.length > 0 ? { reasoning } : {}),
    ...(toolCalls.length > 0 ? { toolCalls, toolCallOrder } : {}),
    usage: usageOf(usage),
  };
}

function usageOf({ prompt, cached, output, reasoning }: ScenarioUsage): JsonObject {
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Plays a scenario. The number of frames before its first piece depends on the kind of upstream. */
function behaviourAfter(openingFrames: number): UpstreamKind['behaviour'] {
  return (scenario) => {
    const reply = replyOf(scenario);
    if (scenario.breaksAfterPieces === null) return replies(reply);
    return breaksAfter(openingFrames + scenario.breaksAfterPieces, { error: { message: 'out of memory' } }, reply);
  };
}

function toolNames({ body }: RecordedRequest, ...path: readonly string[]): readonly string[] {
  return ((body['tools'] ?? []) as readonly JsonObject[]).map((tool) => textAt(tool, ...path));
}

export const UPSTREAM_KINDS: readonly UpstreamKind[] = [
  {
    kind: 'openai',
    definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'openai', baseUrl, apiKey: 'upstream-secret', options: { reasoningStyle: 'thinking' } }),
    behaviour: behaviourAfter(1),
    asked: (request) => ({
      prompt: textAt(request.body, 'messages', 0, 'content'),
      tools: toolNames(request, 'function', 'name'),
      json: textAt(request.body, 'response_format', 'type') === 'json_object',
      reasoning: textAt(request.body, 'thinking', 'type') === 'enabled',
    }),
  },
  {
    kind: 'anthropic',
    definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'anthropic', baseUrl, apiKey: 'upstream-secret' }),
    behaviour: behaviourAfter(3),
    asked: (request) => ({
      prompt: textAt(request.body, 'messages', 0, 'content', 0, 'text'),
      tools: toolNames(request, 'name'),
      // The messages format has no field for JSON output, so an instruction asks for it.
      json: textAt(request.body, 'system').includes('a single JSON object'),
      reasoning: textAt(request.body, 'thinking', 'type') === 'enabled',
    }),
  },
  {
    kind: 'responses',
    definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'responses', baseUrl, apiKey: 'upstream-secret' }),
    behaviour: behaviourAfter(3),
    asked: (request) => ({
      prompt: textAt(request.body, 'input', 0, 'content', 0, 'text'),
      tools: toolNames(request, 'name'),
      json: textAt(request.body, 'text', 'format', 'type') === 'json_object',
      reasoning: textAt(request.body, 'reasoning', 'summary') === 'auto',
    }),
  },
];
