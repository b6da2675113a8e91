import { describe, expect, it } from '@jest/globals';
import { type CompletedGeneration, type EncodeContext, GatewayError, type GenerationEvent, type ModelSlug, promptTokensOf, type StopReason } from '@tollgate/core';
import { aCompletedGeneration, anEncodeContext, arbitraryReply, checkChatStream, eventsOf } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { chatFormat } from './chat-format.js';

const PROMPT_TOKENS = promptTokensOf(aCompletedGeneration().usage);
const aContext = (differences: Partial<EncodeContext> = {}): EncodeContext => anEncodeContext('chatcmpl-1', differences);

const byWord = (text: string) => text.split(/(?<= )/);

function streamOf(generation: CompletedGeneration, context: EncodeContext = aContext()): string {
  return chatFormat.streamEncoder(context).encode(eventsOf(generation, byWord));
}

const START = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"test-model","system_fingerprint":"fp_tollgate",';
const choice = (delta: string, finishReason = 'null') =>
  `${START}"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]}\n\n`;
const USAGE = `"prompt_tokens":${PROMPT_TOKENS},"completion_tokens":2300,"total_tokens":${PROMPT_TOKENS + 2300},"prompt_tokens_details":{"cached_tokens":10},`
  + `"completion_tokens_details":{"reasoning_tokens":300},"prompt_cache_hit_tokens":10,"prompt_cache_miss_tokens":${PROMPT_TOKENS - 10}`;
const RECEIPT = '"svc_tokens_debited":"12.5","svc_cost_usd":"0.00125","svc_balance_tokens":"92.75","svc_fallback_used":false';
const LAST = `${START}"choices":[],"usage":{${USAGE},${RECEIPT}},${RECEIPT}}\n\n`;
const DONE = 'data: [DONE]\n\n';
const ROLE = choice('{"role":"assistant","content":null}');

describe('a chat stream', () => {
  it('of thinking, text and two tool calls has the frames of the format', () => {
    const generation = aCompletedGeneration({
      blocks: [
        { type: 'thinking', text: 'Hm, well', signature: 'signed' },
        { type: 'text', text: 'Let me "look".\n\n' },
        { type: 'tool-call', id: 'call_1', name: 'look', argumentsJson: '{"at": 1}' },
        { type: 'tool-call', id: 'call_2', name: 'stop', argumentsJson: '' },
      ],
      stopReason: 'tool-call',
    });
    expect(streamOf(generation)).toBe([
      ROLE,
      choice('{"reasoning_content":"Hm, "}'),
      choice('{"reasoning_content":"well"}'),
      choice('{"content":"Let "}'),
      choice('{"content":"me "}'),
      choice('{"content":"\\"look\\".\\n\\n"}'),
      choice('{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"look","arguments":""}}]}'),
      choice('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"at\\": "}}]}'),
      choice('{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
      choice('{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"stop","arguments":""}}]}'),
      choice('{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
      choice('{}', '"tool_calls"'),
      LAST,
      DONE,
    ].join(''));
  });

  it('without output has a role, a finish reason and a receipt', () => {
    expect(streamOf(aCompletedGeneration({ blocks: [] }))).toBe(ROLE + choice('{}', '"stop"') + LAST + DONE);
  });

  it('without usage still states the charge', () => {
    const stream = streamOf(aCompletedGeneration({ blocks: [] }), aContext({ includeUsage: false }));
    expect(stream).toBe(`${ROLE}${choice('{}', '"stop"')}${START}"choices":[],${RECEIPT}}\n\n${DONE}`);
  });

  it('names the serving model and marks a fallback', () => {
    const { last } = checkChatStream(streamOf(aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true })));
    expect(last).toMatchObject({ model: 'other-model', svc_fallback_used: true, usage: { svc_fallback_used: true } });
  });

  it.each<readonly [StopReason, string]>([
    ['end', 'stop'], ['max-tokens', 'length'], ['tool-call', 'tool_calls'], ['content-filter', 'content_filter'],
    ['capacity', 'insufficient_system_resource'],
  ])('states the stop reason %s as %s', (stopReason, finishReason) => {
    expect(checkChatStream(streamOf(aCompletedGeneration({ stopReason }))).finishReason).toBe(finishReason);
  });

  it.each([['', '{}'], [' \n ', ' \n {}'], ['{}', '{}'], ['{"cut', '{"cut']])('encodes the arguments %p as %p', (argumentsJson, sent) => {
    const generation = aCompletedGeneration({ blocks: [{ type: 'tool-call', id: '1', name: 'look', argumentsJson }] });
    expect(checkChatStream(streamOf(generation)).toolCalls).toEqual([{ id: '1', name: 'look', arguments: sent }]);
  });

  it('keeps thinking separate from a tool call without arguments that precedes it', () => {
    const generation = aCompletedGeneration({
      blocks: [{ type: 'tool-call', id: '1', name: 'look', argumentsJson: '' }, { type: 'thinking', text: '', signature: null }, { type: 'text', text: 'b' }],
    });
    expect(checkChatStream(streamOf(generation))).toMatchObject({ text: 'b', reasoning: null, toolCalls: [{ arguments: '{}' }] });
  });

  it('that fails ends with the error, even in the middle of a block', () => {
    const encoder = chatFormat.streamEncoder(aContext());
    const begun: readonly GenerationEvent[] = eventsOf(aCompletedGeneration(), byWord).slice(0, 3);
    const stream = encoder.encode(begun) + encoder.encodeError(new GatewayError('provider_unavailable', 'Gone.'));
    expect(checkChatStream(stream)).toMatchObject({ text: 'Hello', last: null, error: { code: 'provider_unavailable', request_id: 'req_1' } });
  });

  it('uses a comment as keep-alive', () => {
    const [first, ...rest] = streamOf(aCompletedGeneration()).split(/(?<=\n\n)/);
    expect(checkChatStream([first, chatFormat.keepAliveFrame, ...rest].join('')).text).toBe('Hello');
  });

  it.each([
    ['words', 'well, yes'], ['an empty text', ''], ['a line end', 'a\n'], ['a quote', '"'], ['another alphabet', 'да'],
  ])('writes a delta as JSON: %s', (_name, delta) => {
    const encoder = chatFormat.streamEncoder(aContext());
    encoder.encode([{ type: 'generation-start', servedBy: 'm' as ModelSlug, fallbackUsed: false, upstreamModel: 'u' }, { type: 'block-start', index: 0, block: { type: 'text' } }]);
    const piece = encoder.encode([{ type: 'block-delta', index: 0, delta }]);
    expect(piece).toContain(`"delta":{"content":${JSON.stringify(delta)}}`);
  });
});

interface WholeReply {
  readonly choices: readonly [{ readonly message: Record<string, unknown>; readonly finish_reason: string }];
  readonly usage: object;
}

const wholeReplyOf = (generation: CompletedGeneration) => JSON.parse(chatFormat.encodeResponse(generation, aContext())) as WholeReply;

describe('any chat stream', () => {
  it('has the content of the whole reply, however its pieces and batches are cut', () => {
    fc.assert(fc.property(arbitraryReply, ({ generation, batches }) => {
      const encoder = chatFormat.streamEncoder(aContext());
      const frames = batches.map((batch) => encoder.encode(batch));
      const streamed = checkChatStream(frames.join(''));
      const { choices: [{ message, finish_reason }], usage } = wholeReplyOf(generation);
      const calls = streamed.toolCalls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args.trim() } }));
      const wholeCalls = ((message['tool_calls'] ?? []) as readonly { id: string; type: string; function: { name: string; arguments: string } }[])
        .map((call) => ({ ...call, function: { ...call.function, arguments: call.function.arguments.trim() } }));
      expect(streamed.text).toBe(message['content'] ?? '');
      expect(streamed.reasoning ?? '').toBe(message['reasoning_content'] ?? '');
      expect(calls).toEqual(wholeCalls);
      expect(streamed.finishReason).toBe(finish_reason);
      expect(streamed.last?.['usage']).toMatchObject(usage);
    }), { numRuns: 500 });
  });
});
