import { describe, expect, it } from '@jest/globals';
import { type CompletedGeneration, GatewayError, type JsonObject, type ModelSlug, promptTokensOf, type StopReason, type EncodeContext } from '@tollgate/core';
import { aCompletedGeneration, anEncodeContext, arbitraryReply, checkMessagesStream, eventsOf, type StreamedBlock } from '@tollgate/testkit';
import { argumentsObject } from '@tollgate/json-text';
import * as fc from 'fast-check';
import { messagesFormat } from './messages-format.js';
import { UNSIGNED } from './encode-response.js';

const PROMPT_TOKENS = promptTokensOf(aCompletedGeneration().usage);
const aContext = (differences: Partial<EncodeContext> = {}): EncodeContext => anEncodeContext('msg_1', differences);

const byWord = (text: string) => text.split(/(?<= )/);

function streamOf(generation: CompletedGeneration): string {
  return messagesFormat.streamEncoder(aContext()).encode(eventsOf(generation, byWord));
}

const frame = (type: string, fields: string) => `event: ${type}\ndata: {"type":"${type}"${fields === '' ? '' : `,${fields}`}}\n\n`;
const delta = (index: number, fields: string) => frame('content_block_delta', `"index":${index},"delta":{${fields}}`);
const stop = (index: number) => frame('content_block_stop', `"index":${index}`);
const START = frame(
  'message_start',
  '"message":{"id":"msg_1","type":"message","role":"assistant","model":"test-model","content":[],"stop_reason":null,"stop_sequence":null,'
    + '"usage":{"input_tokens":0,"output_tokens":0}}',
);
const END = (stopReason: string) => frame(
  'message_delta',
  `"delta":{"stop_reason":"${stopReason}","stop_sequence":null},`
    + `"usage":{"input_tokens":${PROMPT_TOKENS - 10},"cache_creation_input_tokens":0,"cache_read_input_tokens":10,"output_tokens":2300,`
    + '"svc_tokens_debited":"12.5","svc_cost_usd":"0.00125","svc_balance_tokens":"92.75","svc_fallback_used":false}',
) + frame('message_stop', '');

describe('a messages stream', () => {
  it('of thinking, text and two tool calls has the events of the format', () => {
    const generation = aCompletedGeneration({
      blocks: [
        { type: 'thinking', text: 'Hm, well', signature: 'signed' },
        { type: 'text', text: 'Let me "look".\n\n' },
        { type: 'tool-call', id: 'toolu_1', name: 'look', argumentsJson: '{"at": 1}' },
        { type: 'tool-call', id: 'toolu_2', name: 'stop', argumentsJson: '' },
      ],
      stopReason: 'tool-call',
    });
    expect(streamOf(generation)).toBe([
      START,
      frame('content_block_start', '"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}'),
      delta(0, '"type":"thinking_delta","thinking":"Hm, "'),
      delta(0, '"type":"thinking_delta","thinking":"well"'),
      delta(0, '"type":"signature_delta","signature":"signed"'),
      stop(0),
      frame('content_block_start', '"index":1,"content_block":{"type":"text","text":""}'),
      delta(1, '"type":"text_delta","text":"Let "'),
      delta(1, '"type":"text_delta","text":"me "'),
      delta(1, '"type":"text_delta","text":"\\"look\\".\\n\\n"'),
      stop(1),
      frame('content_block_start', '"index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"look","input":{}}'),
      delta(2, '"type":"input_json_delta","partial_json":"{\\"at\\": "'),
      delta(2, '"type":"input_json_delta","partial_json":"1}"'),
      stop(2),
      frame('content_block_start', '"index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"stop","input":{}}'),
      delta(3, '"type":"input_json_delta","partial_json":"{}"'),
      stop(3),
      END('tool_use'),
    ].join(''));
  });

  it('without output has one empty text block', () => {
    const block = frame('content_block_start', '"index":0,"content_block":{"type":"text","text":""}') + stop(0);
    expect(streamOf(aCompletedGeneration({ blocks: [] }))).toBe(START + block + END('end_turn'));
  });

  it('signs thinking that its upstream did not sign', () => {
    const { blocks } = checkMessagesStream(streamOf(aCompletedGeneration({ blocks: [{ type: 'thinking', text: 'Hm', signature: null }] })));
    expect(blocks).toEqual([{ type: 'thinking', thinking: 'Hm', signature: UNSIGNED }]);
    expect(UNSIGNED).not.toBe('');
  });

  it('names the serving model and marks a fallback', () => {
    const { message, usage } = checkMessagesStream(streamOf(aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true })));
    expect([message?.['model'], usage?.['svc_fallback_used']]).toEqual(['other-model', true]);
  });

  it.each<readonly [StopReason, string]>([
    ['end', 'end_turn'], ['max-tokens', 'max_tokens'], ['tool-call', 'tool_use'], ['content-filter', 'end_turn'], ['capacity', 'max_tokens'],
  ])('states the stop reason %s as %s', (stopReason, expected) => {
    expect(checkMessagesStream(streamOf(aCompletedGeneration({ stopReason }))).stopReason).toBe(expected);
  });

  it.each([['', '{}'], [' \n ', ' \n {}'], ['{}', '{}'], ['{"cut', '{"cut']])('encodes the arguments %p as %p', (argumentsJson, sent) => {
    const generation = aCompletedGeneration({ blocks: [{ type: 'tool-call', id: '1', name: 'look', argumentsJson }] });
    expect(checkMessagesStream(streamOf(generation)).blocks).toEqual([{ type: 'tool_use', id: '1', name: 'look', inputJson: sent }]);
  });

  it('that fails ends with the error, even in the middle of a block', () => {
    const encoder = messagesFormat.streamEncoder(aContext());
    const stream = encoder.encode(eventsOf(aCompletedGeneration(), byWord).slice(0, 3)) + encoder.encodeError(new GatewayError('provider_unavailable', 'Gone.'));
    expect(checkMessagesStream(stream)).toMatchObject({ usage: null, error: { code: 'provider_unavailable', request_id: 'req_1' } });
  });

  it('accepts a ping between any two events', () => {
    const [first, ...rest] = streamOf(aCompletedGeneration()).split(/(?<=\n\n)/);
    const stream = [first, ...rest.flatMap((event) => [messagesFormat.keepAliveFrame, event])].join('');
    expect(messagesFormat.keepAliveFrame).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    expect(checkMessagesStream(stream).blocks).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it.each([
    ['words', 'well, yes'], ['an empty text', ''], ['a line end', 'a\n'], ['a quote', '"'], ['another alphabet', 'да'],
  ])('writes a delta as JSON: %s', (_name, text) => {
    const encoder = messagesFormat.streamEncoder(aContext());
    encoder.encode([{ type: 'block-start', index: 0, block: { type: 'text' } }]);
    const piece = encoder.encode([{ type: 'block-delta', index: 0, delta: text }]);
    expect(piece).toContain(`"delta":{"type":"text_delta","text":${JSON.stringify(text)}}`);
  });
});

/** The client's view of a streamed block. */
function collected(block: StreamedBlock): object {
  if (block.type !== 'tool_use') return block;
  const { inputJson, ...call } = block;
  return { ...call, input: JSON.parse(argumentsObject(inputJson).text) as object };
}

describe('any messages stream', () => {
  it('has the content of the whole reply, however its pieces and batches are cut', () => {
    fc.assert(fc.property(arbitraryReply, ({ generation, batches }) => {
      const encoder = messagesFormat.streamEncoder(aContext());
      const frames = batches.map((batch) => encoder.encode(batch));
      const streamed = checkMessagesStream(frames.join(''));
      const whole = JSON.parse(messagesFormat.encodeResponse(generation, aContext())) as JsonObject;
      expect(streamed.blocks.map(collected)).toEqual(whole['content']);
      expect(streamed.stopReason).toBe(whole['stop_reason']);
      expect(streamed.usage).toMatchObject(whole['usage'] as object);
    }), { numRuns: 500 });
  });
});
