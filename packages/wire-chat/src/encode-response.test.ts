import { describe, expect, it } from '@jest/globals';
import type { AssistantBlock, ModelSlug, StopReason } from '@tollgate/core';
import { aCompletedGeneration } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';
import { aContext } from './test-support/builders.js';

const call = (id: string, argumentsJson: string): AssistantBlock => ({ type: 'tool-call', id, name: 'look', argumentsJson });
const encodedCall = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } });

function choiceOf(blocks: readonly AssistantBlock[], stopReason: StopReason = 'end') {
  const reply = JSON.parse(chatFormat.encodeResponse(aCompletedGeneration({ blocks, stopReason }), aContext())) as { readonly choices: readonly { message: unknown; finish_reason: unknown }[] };
  return reply.choices[0];
}

describe('a whole chat reply', () => {
  it('is the chat completion object of section 2.5', () => {
    const generation = aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true });
    expect(JSON.parse(chatFormat.encodeResponse(generation, aContext()))).toStrictEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'other-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello', refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 111,
        completion_tokens: 2300,
        total_tokens: 2411,
        prompt_tokens_details: { cached_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 300 },
        prompt_cache_hit_tokens: 10,
        prompt_cache_miss_tokens: 101,
        svc_tokens_debited: '12.5',
        svc_cost_usd: '0.00125',
      },
      system_fingerprint: 'fp_tollgate',
    });
  });

  it.each<readonly [string, readonly AssistantBlock[], unknown]>([
    ['nothing', [], { role: 'assistant', content: '', refusal: null }],
    ['several texts', [{ type: 'text', text: 'a' }, { type: 'text', text: 'b\n' }], { role: 'assistant', content: 'ab\n', refusal: null }],
    [
      'thinking, signed or not',
      [{ type: 'thinking', text: 'Hm', signature: 'x' }, { type: 'thinking', text: '!', signature: null }, { type: 'text', text: 'a' }],
      { role: 'assistant', content: 'a', refusal: null, reasoning_content: 'Hm!' },
    ],
    ['thinking only', [{ type: 'thinking', text: 'Hm', signature: null }], { role: 'assistant', content: '', refusal: null, reasoning_content: 'Hm' }],
    [
      'tool calls only',
      [call('1', '{"a":1.0}'), call('2', '')],
      { role: 'assistant', content: null, refusal: null, tool_calls: [encodedCall('1', '{"a":1.0}'), encodedCall('2', '{}')] },
    ],
    [
      'text beside a tool call',
      [{ type: 'text', text: 'Let me see.' }, call('1', '{"cut')],
      { role: 'assistant', content: 'Let me see.', refusal: null, tool_calls: [encodedCall('1', '{"cut')] },
    ],
  ])('of %s has the message', (_, blocks, message) => {
    expect(choiceOf(blocks)?.message).toStrictEqual(message);
  });

  it.each<readonly [StopReason, string]>([
    ['end', 'stop'], ['max-tokens', 'length'], ['tool-call', 'tool_calls'], ['content-filter', 'content_filter'],
    ['capacity', 'insufficient_system_resource'],
  ])('that stopped by %s finished by %s', (stopReason, finishReason) => {
    expect(choiceOf([], stopReason)?.finish_reason).toBe(finishReason);
  });
});
