import { describe, expect, it } from '@jest/globals';
import { type AssistantBlock, type CompletedGeneration, GatewayError, type JsonObject, type ModelSlug, promptTokensOf, type RequestId, type StopReason, type EncodeContext } from '@tollgate/core';
import { aCompletedGeneration, anEncodeContext, checkMessagesStream } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';
import { UNSIGNED } from './encode-response.js';

const PROMPT_TOKENS = promptTokensOf(aCompletedGeneration().usage);
const aContext = (differences: Partial<EncodeContext> = {}): EncodeContext => anEncodeContext('msg_1', differences);

const encode = (generation: CompletedGeneration): JsonObject => JSON.parse(messagesFormat.encodeResponse(generation, aContext())) as JsonObject;
const call = (id: string, argumentsJson: string): AssistantBlock => ({ type: 'tool-call', id, name: 'look', argumentsJson });

describe('a whole messages reply', () => {
  it('is the message object of the format', () => {
    const generation = aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true });
    expect(encode(generation)).toStrictEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'other-model',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: PROMPT_TOKENS - 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 10,
        output_tokens: 2300,
        svc_tokens_debited: '12.5',
        svc_cost_usd: '0.00125',
      },
    });
  });

  it.each<readonly [string, readonly AssistantBlock[], unknown]>([
    ['no block', [], [{ type: 'text', text: '' }]],
    [
      'thinking, signed or not',
      [{ type: 'thinking', text: 'Hm', signature: 'signed' }, { type: 'thinking', text: '!', signature: null }, { type: 'text', text: 'a' }],
      [{ type: 'thinking', thinking: 'Hm', signature: 'signed' }, { type: 'thinking', thinking: '!', signature: UNSIGNED }, { type: 'text', text: 'a' }],
    ],
    [
      'text beside tool calls',
      [{ type: 'text', text: 'Let me see.' }, call('1', '{"a":[1]}'), call('2', ''), call('3', '{"cut')],
      [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: '1', name: 'look', input: { a: [1] } },
        { type: 'tool_use', id: '2', name: 'look', input: {} },
        { type: 'tool_use', id: '3', name: 'look', input: { _raw: '{"cut' } },
      ],
    ],
  ])('has the content blocks of the format for a generation of %s', (_, blocks, content) => {
    expect(encode(aCompletedGeneration({ blocks }))['content']).toStrictEqual(content);
  });

  it.each<readonly [StopReason, string]>([
    ['end', 'end_turn'], ['max-tokens', 'max_tokens'], ['tool-call', 'tool_use'], ['content-filter', 'end_turn'], ['capacity', 'max_tokens'],
  ])('states the stop reason %s as %s', (stopReason, expected) => {
    expect(encode(aCompletedGeneration({ stopReason }))['stop_reason']).toBe(expected);
  });

  it('has a call’s arguments verbatim', () => {
    const written = '{"2": 1.0, "1": 12345678901234567890, "é": "\\ud83d"}';
    expect(messagesFormat.encodeResponse(aCompletedGeneration({ blocks: [call('1', written)] }), aContext())).toContain(`"input":${written}}`);
  });

  it('is decoded to the original turn when the client sends it back', () => {
    const blocks: readonly AssistantBlock[] = [
      { type: 'thinking', text: 'Hm', signature: null }, { type: 'text', text: 'a' }, call('1', '{"a":[1]}'), call('2', '{}'),
    ];
    const { content } = encode(aCompletedGeneration({ blocks }));
    const request = { model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content }] };
    expect(messagesFormat.decodeRequest(request).generation.conversation.turns[0]).toEqual({ role: 'assistant', content: blocks });
  });
});

describe('a messages error', () => {
  it('has type, code and request id, and reveals no internals', () => {
    const error = new GatewayError('invalid_request', 'No.', { param: 'messages', cause: new Error('secret') });
    expect(messagesFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'No.', code: 'invalid_request', request_id: 'req_1' },
    });
  });

  it('ends a stream as one event', () => {
    const frame = messagesFormat.streamEncoder(aContext()).encodeError(new GatewayError('provider_unavailable', 'Gone\n\naway.'));
    expect(frame).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Gone\\n\\naway.","code":"provider_unavailable","request_id":"req_1"}}\n\n',
    );
    expect(checkMessagesStream(frame).error).toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('the error of an exceeded context, in the messages format,', () => {
  it.each(['model', 'plan'] as const)('has the message that coding agents recover from if the prompt exceeds the maximum of the %s', (bound) => {
    expect(messagesFormat.describeOverflow({ kind: 'prompt', promptTokens: 11, maximumTokens: 10, bound }, 'max_tokens')).toEqual({
      param: 'messages', message: 'prompt is too long: 11 tokens > 10 maximum',
    });
  });

  it('has the same message as for a prompt that is too long if the client requested no maximum output', () => {
    expect(messagesFormat.describeOverflow({ kind: 'reply', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, 'max_tokens')).toEqual({
      param: 'messages', message: 'prompt is too long: 8 tokens > 7 maximum',
    });
  });

  it('has the message that coding agents recover from if the output is too long', () => {
    expect(messagesFormat.describeOverflow({ kind: 'output', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, 'max_tokens')).toEqual({
      param: 'max_tokens', message: 'input length and `max_tokens` exceed context limit: 8 + 3 > 10',
    });
  });
});
