import type { JsonObject } from '@tollgate/core';
import type { UpstreamDefinition } from '@tollgate/adapters-upstream';
import { type Behaviour, breaksAfter, type RecordedRequest, replies, type ScriptedReply, type ScriptedUpstream } from '@tollgate/testkit';
import { memberOf, textAt } from './client.js';
import type { Scenario, ScenarioUsage } from './scenarios.js';

/** What differs between the kinds of servers behind the gateway. */
export interface UpstreamKind {
  readonly kind: 'openai';
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
  readonly behaviour: (scenario: Scenario) => Behaviour;
  /** What a request asks for, in words that are the same for all kinds. */
  readonly asked: (request: RecordedRequest) => AskedFor;
}

/** What must reach the upstream of what the client asked for. */
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
    usage: chatUsage(usage),
  };
}

function chatUsage({ prompt, cached, output, reasoning }: ScenarioUsage) {
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

export const UPSTREAM_KINDS: readonly UpstreamKind[] = [
  {
    kind: 'openai',
    definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'openai', baseUrl, apiKey: 'upstream-secret', options: { reasoningStyle: 'thinking' } }),
    behaviour: (scenario) => {
      const reply = replyOf(scenario);
      if (scenario.breaksAfterFrames === null) return replies(reply);
      return breaksAfter(scenario.breaksAfterFrames, { error: { message: 'out of memory', type: 'server_error', code: 500 } }, reply);
    },
    asked: ({ body }) => ({
      prompt: textAt(body, 'messages', 0, 'content'),
      tools: ((body['tools'] ?? []) as readonly JsonObject[]).map((tool) => textAt(tool, 'function', 'name')),
      json: memberOf(body, 'response_format', 'type') === 'json_object',
      reasoning: memberOf(body, 'thinking', 'type') === 'enabled',
    }),
  },
];
