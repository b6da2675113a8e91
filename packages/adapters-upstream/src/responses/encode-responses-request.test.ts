import { describe, expect, it } from '@jest/globals';
import { type JsonObject, type ResponsesOptions, tokenCount, type Turn } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { textOfPieces } from '@tollgate/testkit';
import { aCall, type CallChanges, says, turns } from '../test-support/calls.js';
import { assistant, call, image, otherCall, result, system, text, user } from '../test-support/turns.js';
import { DEFAULT_RESPONSES_OPTIONS } from './responses-provider.js';
import { encodeReasoning, encodeResponsesRequest } from './encode-responses-request.js';

function encode(changes: CallChanges, options: Partial<ResponsesOptions> = {}): JsonObject {
  const made = aCall(changes);
  return JSON.parse(textOfPieces(encodeResponsesRequest(made, made.request.reasoning, { ...DEFAULT_RESPONSES_OPTIONS, ...options }))) as JsonObject;
}

const thinking = { type: 'thinking', text: 'Hm.', signature: 'sealed', form: 'encrypted-reasoning' } as const;
const unsigned = { ...thinking, signature: null };
const imagePart = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
const REASONS = { model: { reasoning: true } } as const;

const asked = (words: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] });
const told = (words: string) => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: words }] });
const answered = (words: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] });
const called = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"a": 1.0}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'seen' };
const reasoned = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' };
const schema = { responseFormat: 'json', outputSchema: { name: 'answer', description: 'd', strict: true, schema: jsonDocument({ type: 'object' }) } } as const;

describe('encodeResponsesRequest', () => {
  it('omits everything that the client did not set, and disables storage', () => {
    expect(encode({ delivery: 'whole' })).toEqual({
      model: 'scripted-model', input: [asked('Hello')], max_output_tokens: 1_000, store: false, stream: false,
    });
  });

  it.each<[string, CallChanges, Partial<ResponsesOptions>, JsonObject]>([
    ['sampling, without penalties and stop sequences', { request: { sampling: { temperature: 0, topP: 0.5, frequencyPenalty: 1, presencePenalty: 1 }, stopSequences: ['x'] } }, {},
      { temperature: 0, top_p: 0.5 }],
    ['instructions', { request: { conversation: { system: [text('a'), text('b')], turns: [says('Hi')] } } }, {}, { instructions: 'a\n\nb', input: [asked('Hi')] }],
    ['JSON mode', { request: { responseFormat: 'json' } }, {}, { text: { format: { type: 'json_object' } } }],
    ['a schema to a server that enforces none', { request: schema }, {}, { text: { format: { type: 'json_object' } } }],
    ['a schema to a server that enforces it', { request: schema }, { jsonSchema: 'schema' },
      { text: { format: { type: 'json_schema', name: 'answer', description: 'd', strict: true, schema: { type: 'object' } } } }],
    ['tools, which are not enforced strictly', { request: { tools: [{ name: 'look', description: 'Looks.', inputSchema: jsonDocument({ type: 'object', properties: {} }) }, { name: 'wait', description: null, inputSchema: null }], toolChoice: { kind: 'tool', name: 'look' }, parallelToolCalls: false } }, {}, {
      tools: [
        { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} }, strict: false },
        { type: 'function', name: 'wait', parameters: { type: 'object', properties: {} }, strict: false },
      ],
      tool_choice: { type: 'function', name: 'look' }, parallel_tool_calls: false,
    }],
    ['no choice without tools', { request: { toolChoice: { kind: 'any' } } }, {}, {}],
    ['the smallest maximum output that vendors accept, if the client allows less', { maxOutputTokens: tokenCount(1) }, {}, { max_output_tokens: 16 }],
    ['attribution if that is configured', { request: { attribution: 'someone' } }, { attribution: 'sent' }, { user: 'someone' }],
    ['attribution that is too long cut', { request: { attribution: 'u'.repeat(150) } }, { attribution: 'sent' }, { user: expect.stringMatching(/^u{47}_[0-9a-f]{16}$/) as unknown as string }],
    ['an operator\'s own fields, unless the gateway writes them', {}, { extraBody: { store: true, service_tier: 'flex' } }, { service_tier: 'flex' }],
  ])('sends %s', (_name, changes, options, expected) => {
    expect(encode(changes, options)).toEqual({ model: 'scripted-model', input: [asked('Hello')], max_output_tokens: 1_000, store: false, stream: true, ...expected });
  });

  it.each<[string, readonly Turn[], Partial<ResponsesOptions>, readonly JsonObject[]]>([
    ['reasoning that the server encrypted, text and calls of one turn in order', [says('q'), assistant(thinking, text('t'), call), user(result)], {},
      [asked('q'), reasoned, answered('t'), called, output]],
    ['no reasoning that it did not encrypt', [says('q'), assistant(unsigned, text('t')), says('r')], {}, [asked('q'), answered('t'), asked('r')]],
    ['reasoning as text to servers that read it', [says('q'), assistant(unsigned, text('t'))], { reasoningReplay: 'sent' },
      [asked('q'), { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }, answered('t')]],
    ['no reasoning where it is omitted', [says('q'), assistant(thinking, text('t'))], { reasoningReplay: 'omitted' }, [asked('q'), answered('t')]],
    ['no turn of reasoning alone', [says('q'), assistant(thinking), says('r')], {}, [asked('q'), asked('r')]],
    ['results directly after their calls, and instructions after the results', [says('q'), assistant(call, otherCall), system('now'), user(result, { ...result, toolCallId: 'c2' }, text('more'))], {},
      [asked('q'), called, { ...called, call_id: 'c2' }, output, { ...output, call_id: 'c2' }, told('now'), asked('more')]],
    ['an instruction after the results of both calls', [says('q'), assistant(call, otherCall), user(result), system('now'), user({ ...result, toolCallId: 'c2' })], {},
      [asked('q'), called, { ...called, call_id: 'c2' }, output, { ...output, call_id: 'c2' }, told('now')]],
    ['an instruction in its place', [says('q'), assistant(text('t')), system('now'), says('r')], {}, [asked('q'), answered('t'), told('now'), asked('r')]],
    ['an instruction as part of the user\'s turn', [says('q'), system('now')], { systemTurns: 'as-user' },
      [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }, { type: 'input_text', text: 'now' }] }]],
    ['images of a turn and of a result', [user(image), assistant(call), user({ ...result, content: [text('seen'), image] })], {},
      [{ type: 'message', role: 'user', content: [imagePart] }, called, { ...output, output: [{ type: 'input_text', text: 'seen' }, imagePart] }]],
    ['in words that a result is an error', [says('q'), assistant(call), user({ ...result, isError: true })], {}, [asked('q'), called, { ...output, output: 'Error: seen' }]],
    ['arguments that are not an object as text in an object', [says('q'), assistant({ ...call, argumentsJson: '{"a"' }), user(result)], {}, [asked('q'), { ...called, arguments: '{"_raw":"{\\"a\\""}' }, output]],
  ])('sends %s', (_name, conversation, options, input) => {
    expect(encode({ ...REASONS, request: turns(...conversation) }, options)['input']).toEqual(input);
  });

  it('requests encrypted reasoning from a reasoning model', () => {
    expect(encode(REASONS)['include']).toEqual(['reasoning.encrypted_content']);
  });
});

describe('encodeReasoning', () => {
  it.each([
    ['off', 'effort', { effort: 'none' }], ['on', 'effort', { summary: 'auto' }], ['low', 'effort', { effort: 'low', summary: 'auto' }],
    ['max', 'effort', { effort: 'high', summary: 'auto' }], ['model-default', 'effort', undefined],
    ['off', 'off-only', { effort: 'none' }], ['high', 'off-only', undefined], ['off', 'none', undefined],
  ] as const)('encodes the reasoning level %s in the style %s', (reasoning, reasoningStyle, expected) => {
    expect(encodeReasoning(aCall(REASONS), reasoning, { ...DEFAULT_RESPONSES_OPTIONS, reasoningStyle })).toEqual(expected);
  });

  it('sends no reasoning fields to a model that does not reason', () => {
    expect(encodeReasoning(aCall({ model: { reasoning: false } }), 'off', DEFAULT_RESPONSES_OPTIONS)).toBeUndefined();
  });
});
