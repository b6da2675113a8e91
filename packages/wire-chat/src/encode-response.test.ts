import { describe, expect, it } from '@jest/globals';
import { type AssistantBlock, GatewayError, type ModelSlug, promptTokensOf, type RequestId, type StopReason, type EncodeContext } from '@tollgate/core';
import { aChatRequest, aCompletedGeneration, anEncodeContext, checkChatStream } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';
import { describeOverflow } from './encode-response.js';

const PROMPT_TOKENS = promptTokensOf(aCompletedGeneration().usage);
const aContext = (differences: Partial<EncodeContext> = {}): EncodeContext => anEncodeContext('chatcmpl-1', differences);

const call = (id: string, argumentsJson: string): AssistantBlock => ({ type: 'tool-call', id, name: 'look', argumentsJson });
const encodedCall = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } });

function choiceOf(blocks: readonly AssistantBlock[], stopReason: StopReason = 'end') {
  const reply = JSON.parse(chatFormat.encodeResponse(aCompletedGeneration({ blocks, stopReason }), aContext())) as { readonly choices: readonly { message: unknown; finish_reason: unknown }[] };
  return reply.choices[0];
}

describe('a whole chat reply', () => {
  it('is the chat completion object of the format', () => {
    const generation = aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true });
    expect(JSON.parse(chatFormat.encodeResponse(generation, aContext()))).toStrictEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'other-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello', refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: PROMPT_TOKENS,
        completion_tokens: 2300,
        total_tokens: PROMPT_TOKENS + 2300,
        prompt_tokens_details: { cached_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 300 },
        prompt_cache_hit_tokens: 10,
        prompt_cache_miss_tokens: PROMPT_TOKENS - 10,
        svc_tokens_debited: '12.5',
        svc_cost_usd: '0.00125',
      },
      system_fingerprint: 'fp_tollgate',
    });
  });

  it.each<readonly [string, readonly AssistantBlock[], unknown]>([
    ['no block', [], { role: 'assistant', content: '', refusal: null }],
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
  ])('has one message for a generation of %s', (_, blocks, message) => {
    expect(choiceOf(blocks)?.message).toStrictEqual(message);
  });

  it.each<readonly [StopReason, string]>([
    ['end', 'stop'], ['max-tokens', 'length'], ['tool-call', 'tool_calls'], ['content-filter', 'content_filter'],
    ['capacity', 'insufficient_system_resource'],
  ])('states the stop reason %s as %s', (stopReason, finishReason) => {
    expect(choiceOf([], stopReason)?.finish_reason).toBe(finishReason);
  });
});

describe('a chat error', () => {
  it('names the invalid field', () => {
    const error = new GatewayError('invalid_request', 'No.', { param: 'messages[2].content' });
    expect(chatFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      error: { message: 'No.', type: 'invalid_request_error', code: 'invalid_request', param: 'messages[2].content', request_id: 'req_1' },
    });
  });

  it('has no param if no field is invalid, and reveals no internals', () => {
    const error = new GatewayError('rate_limit_exceeded', 'No.', { retryAfterSeconds: 3, cause: new Error('secret') });
    expect(chatFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      error: { message: 'No.', type: 'rate_limit_error', code: 'rate_limit_exceeded', request_id: 'req_1' },
    });
  });

  it('ends a stream as one frame', () => {
    const frame = chatFormat.streamEncoder(aContext()).encodeError(new GatewayError('provider_unavailable', 'Gone\n\naway.'));
    expect(frame).toBe('data: {"error":{"message":"Gone\\n\\naway.","type":"overloaded_error","code":"provider_unavailable","request_id":"req_1"}}\n\n');
    expect(checkChatStream(frame).error).toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('the error of an exceeded context, in the chat format,', () => {
  it('names the messages if the prompt is too long, whichever maximum it exceeds', () => {
    const overflow = { kind: 'prompt', promptTokens: 11, maximumTokens: 10, bound: 'model' } as const;
    expect(describeOverflow(overflow, 'max_tokens')).toEqual({
      param: 'messages', message: "This model's maximum context length is 10 tokens, but 'messages' have 11 tokens. Shorten them.",
    });
    expect(describeOverflow({ ...overflow, bound: 'plan' }, 'max_tokens').message).toBe(
      "Your plan's maximum context length is 10 tokens, but 'messages' have 11 tokens. Shorten them.",
    );
  });

  it('names the messages, and what is kept for the reply, if the client requested no maximum output', () => {
    expect(describeOverflow({ kind: 'reply', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, 'max_tokens')).toEqual({
      param: 'messages',
      message: "This model's maximum context length is 10 tokens, but the request needs 11: 8 in 'messages' and 3 for the reply. Shorten the messages or request a shorter reply with 'max_tokens'.",
    });
  });

  it.each(['max_tokens', 'max_completion_tokens'])('names the client’s own field, %s, if the output is too long', (field) => {
    expect(describeOverflow({ kind: 'output', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, field)).toEqual({
      param: field,
      message: `This model's maximum context length is 10 tokens, but the request needs 11: 8 in 'messages' and 3 in '${field}'. Shorten the messages or lower '${field}'.`,
    });
  });

  it.each([
    [{}, 'max_tokens'],
    [{ max_tokens: 5 }, 'max_tokens'],
    [{ max_completion_tokens: 5 }, 'max_completion_tokens'],
    [{ max_tokens: 5, max_completion_tokens: null }, 'max_tokens'],
    [{ max_tokens: 5, max_completion_tokens: 6 }, 'max_completion_tokens'],
  ])('names the field that takes precedence in a request with %j', (fields, outputField) => {
    expect(chatFormat.decodeRequest(aChatRequest(fields)).outputField).toBe(outputField);
  });
});
