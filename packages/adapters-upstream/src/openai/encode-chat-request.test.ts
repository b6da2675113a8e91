import { DEFAULT_OPENAI_OPTIONS } from './openai-provider.js';
import { encodeChatRequest, localStopSequences } from './encode-chat-request.js';
import { describe, expect, it } from '@jest/globals';
import type { GenerationRequest, JsonObject, Turn, OpenaiOptions } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { textOfPieces } from '@tollgate/testkit';
import { aCall, type CallChanges, says, turns } from '../test-support/calls.js';
import { assistant, call, image, otherCall, result, system, text, user } from '../test-support/turns.js';

function encode(changes: CallChanges, options: Partial<OpenaiOptions> = {}): JsonObject {
  const made = aCall(changes);
  return JSON.parse(textOfPieces(encodeChatRequest(made, made.request.reasoning, { ...DEFAULT_OPENAI_OPTIONS, ...options }))) as JsonObject;
}

const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const thinking = { type: 'thinking', text: 'Hm.', signature: 'x' } as const;
const calledLook = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a": 1.0}' } };
const calling = { role: 'assistant', content: null, tool_calls: [calledLook] };
const seen = { role: 'tool', tool_call_id: 'c1', content: 'seen' };

const asSchema = {
  responseFormat: 'json', outputSchema: { name: 'answer', description: null, strict: true, schema: jsonDocument({ type: 'object' }) },
} as const;

describe('encodeChatRequest', () => {
  it('omits everything that the client did not set', () => {
    expect(encode({ delivery: 'whole' })).toEqual({
      model: 'scripted-model', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1_000, stream: false,
    });
  });

  it.each<[string, CallChanges, Partial<OpenaiOptions>, JsonObject]>([
    ['a stream with its usage', {}, {}, { stream: true, stream_options: { include_usage: true } }],
    ['the newer name of the output limit', {}, { outputLimitField: 'max_completion_tokens' }, { max_completion_tokens: 1_000 }],
    ['all sampling', { request: { sampling: { temperature: 0, topP: 0.5, frequencyPenalty: -1, presencePenalty: 2 } } }, {}, {
      temperature: 0, top_p: 0.5, frequency_penalty: -1, presence_penalty: 2,
    }],
    ['the first stop sequences, in order', { request: { stopSequences: ['a', 'b', 'c', 'd', 'e'] } }, {}, { stop: ['a', 'b', 'c', 'd'] }],
    ['JSON mode', { request: { responseFormat: 'json' } }, {}, { response_format: { type: 'json_object' } }],
    ['a schema to a server that enforces none', { request: asSchema }, {}, { response_format: { type: 'json_object' } }],
    ['a schema to a server that enforces it', { request: asSchema }, { jsonSchema: 'schema' }, {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: { type: 'object' } } },
    }],
    ['a schema without a name', { request: { ...asSchema, outputSchema: { ...asSchema.outputSchema, name: null, strict: null, description: 'd' } } }, { jsonSchema: 'schema' }, {
      response_format: { type: 'json_schema', json_schema: { name: 'response', description: 'd', schema: { type: 'object' } } },
    }],
    ['JSON mode where there is no schema to enforce', { request: { responseFormat: 'json' } }, { jsonSchema: 'schema' }, { response_format: { type: 'json_object' } }],
    ['an operator\'s own fields, unless the gateway writes them', { request: { sampling: { temperature: 0, topP: null, frequencyPenalty: null, presencePenalty: null } } },
      { extraBody: { min_p: 0.1, temperature: 1, top_p: 0.5 } }, { min_p: 0.1, temperature: 0, top_p: 0.5 }],
    ['an operator\'s own template variables beside ours', { model: { reasoning: true }, request: { reasoning: 'off' } },
      { reasoningStyle: 'chat-template', extraBody: { chat_template_kwargs: { thinking: true, other: 1 } } },
      { chat_template_kwargs: { thinking: false, enable_thinking: false, other: 1 } }],
    ['an operator\'s own template variables alone', {}, { extraBody: { chat_template_kwargs: { other: 1 } } }, { chat_template_kwargs: { other: 1 } }],
    ['attribution if that is configured', { request: { attribution: 'u1' } }, { attribution: 'sent' }, { user: 'u1' }],
    ['attribution that is too long cut', { request: { attribution: 'u'.repeat(150) } }, { attribution: 'sent' }, { user: expect.stringMatching(/^u{47}_[0-9a-f]{16}$/) as unknown as string }],
    ['the name of a schema as servers take it', { request: { ...asSchema, outputSchema: { ...asSchema.outputSchema, name: 'Answer[int]' } } }, { jsonSchema: 'schema' }, {
      response_format: { type: 'json_schema', json_schema: { name: expect.stringMatching(/^Answer_int__[0-9a-f]{16}$/) as unknown as string, strict: true, schema: { type: 'object' } } },
    }],
  ])('sends %s', (_name, ...[changes, options, part]) => {
    expect(encode(changes, options)).toMatchObject(part);
  });

  it("does not forward the client's user name unless configured", () => {
    expect(encode({ request: { attribution: 'u1' } })).not.toHaveProperty('user');
  });

  it('leaves the stop sequences beyond the server’s limit to the gateway', () => {
    expect(localStopSequences(aCall({ request: { stopSequences: ['a', 'b', 'c'] } }), { ...DEFAULT_OPENAI_OPTIONS, stopSequenceLimit: 1 })).toEqual(['b', 'c']);
  });

  describe('tools', () => {
    const schema = { properties: { z: { type: 'number' }, a: {} }, $defs: {} };
    const tools = [
      { name: 'look', description: 'Looks', inputSchema: jsonDocument({ type: 'object', ...schema }) },
      { name: 'untyped', description: null, inputSchema: jsonDocument(schema) },
      { name: 'empty', description: null, inputSchema: jsonDocument({}) },
      { name: 'bare', description: null, inputSchema: null },
    ];

    it('keep their schemas and the order of keys, and get an empty schema if they have none', () => {
      const encoded = encode({ request: { tools } })['tools'];
      expect(JSON.stringify(encoded)).toBe(JSON.stringify([
        { type: 'function', function: { name: 'look', description: 'Looks', parameters: { type: 'object', ...schema } } },
        { type: 'function', function: { name: 'untyped', parameters: { type: 'object', ...schema } } },
        { type: 'function', function: { name: 'empty', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'bare', parameters: { type: 'object', properties: {} } } },
      ]));
    });

    it('keep the notation of numbers and the order of keys in schemas', () => {
      const written = '{ "2": 1.0, "1": 12345678901234567890 }';
      const body = encodeChatRequest(aCall({ request: { tools: [{ name: 'f', description: null, inputSchema: { value: { type: 'x' }, text: written } }] } }), 'off', DEFAULT_OPENAI_OPTIONS);
      expect(textOfPieces(body)).toContain(`"parameters":${written}}`);
    });

    it.each<[NonNullable<GenerationRequest['toolChoice']>, unknown]>([
      [{ kind: 'auto' }, 'auto'], [{ kind: 'none' }, 'none'], [{ kind: 'any' }, 'required'],
      [{ kind: 'tool', name: 'look' }, { type: 'function', function: { name: 'look' } }],
    ])('choice %j is sent as %j', (toolChoice, encoded) => {
      expect(encode({ request: { tools, toolChoice, parallelToolCalls: false } })).toMatchObject({ tool_choice: encoded, parallel_tool_calls: false });
    });

    it('are required for a tool choice, which is omitted without them', () => {
      const body = encode({ request: { toolChoice: { kind: 'auto' }, parallelToolCalls: true } });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tool_choice']));
      expect(body).not.toHaveProperty('parallel_tool_calls');
    });
  });

  describe('reasoning', () => {
    it.each<[GenerationRequest['reasoning'], JsonObject, JsonObject]>([
      ['model-default', {}, {}],
      ['off', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
      ['on', {}, { thinking: { type: 'enabled' } }],
      ['low', { reasoning_effort: 'low' }, { thinking: { type: 'enabled' }, reasoning_effort: 'low' }],
      ['high', { reasoning_effort: 'high' }, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
      ['max', { reasoning_effort: 'high' }, { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
    ])('with the setting %s is sent as %j in the effort style and as %j in the thinking style', (reasoning, ...[byEffort, byThinking]) => {
      const plain = encode({});
      const changes = { request: { reasoning }, model: { reasoning: true } };
      expect(encode(changes)).toEqual({ ...plain, ...byEffort });
      expect(encode(changes, { reasoningStyle: 'thinking' })).toEqual({ ...plain, ...byThinking });
      expect(encode(changes, { reasoningStyle: 'off-only' })).toEqual({ ...plain, ...(reasoning === 'off' ? byEffort : {}) });
      expect(encode(changes, { reasoningStyle: 'none' })).toEqual(plain);
      expect(encode({ request: { reasoning } })).toEqual(plain);
    });

    it.each([['off', false], ['low', true]] as const)('that is %s is sent to chat templates under both names', (reasoning, enabled) => {
      expect(encode({ request: { reasoning }, model: { reasoning: true } }, { reasoningStyle: 'chat-template' }))
        .toMatchObject({ chat_template_kwargs: { enable_thinking: enabled, thinking: enabled } });
    });
  });

  describe('messages', () => {
    const messagesOf = (given: readonly Turn[], changes: CallChanges = {}, options: Partial<OpenaiOptions> = {}) =>
      encode({ ...changes, request: turns(...given) }, options)['messages'];

    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['keep the text beside a tool call', [assistant(text('Let me look.'), call), user(result)], [{ ...calling, content: 'Let me look.' }, seen]],
      ['begin, after calls, with the results in the client’s order, even if the client wrote text before them',
        [assistant(call, otherCall), user(text('Both:'), { ...result, toolCallId: 'c2' }, result)],
        [{ ...calling, tool_calls: [calledLook, { ...calledLook, id: 'c2' }] }, { ...seen, tool_call_id: 'c2' }, seen, { role: 'user', content: 'Both:' }]],
      ['state in words that a result is an error', [assistant(call), user({ ...result, isError: true })], [calling, { ...seen, content: 'Error: seen' }]],
      ['join the texts of a result', [assistant(call), user({ ...result, content: [text('a'), text('b')] })], [calling, { ...seen, content: 'a\nb' }]],
      ['include an empty result', [assistant(call), user({ ...result, content: [] })], [calling, { ...seen, content: '' }]],
      ['have the images of a result in the next user message, and its text in the result', [assistant(call), user({ ...result, content: [text('seen'), image] }, text('So?'))],
        [calling, seen, { role: 'user', content: [imagePart, { type: 'text', text: 'So?' }] }]],
      ['say, in a result that has only an image, where the image is', [assistant(call), user({ ...result, content: [image] })],
        [calling, { ...seen, content: 'The result is an image. It follows in the next user message.' }, { role: 'user', content: [imagePart] }]],
      ['keep an instruction in the middle in its place', [says('a'), system('Be brief.'), says('b')],
        [{ role: 'user', content: 'a' }, { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'b' }]],
      ['have no instruction between a call and its results', [assistant(call), system('Be brief.'), user(result, text('b'))],
        [calling, seen, { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'b' }]],
      ['have no instruction between the results of two calls', [assistant(call, otherCall), user(result), system('Be brief.'), user({ ...result, toolCallId: 'c2' })],
        [{ ...calling, tool_calls: [calledLook, { ...calledLook, id: 'c2' }] }, seen, { ...seen, tool_call_id: 'c2' }, { role: 'system', content: 'Be brief.' }]],
      ['keep an instruction at the end', [assistant(call), system('Be brief.')], [calling, { role: 'system', content: 'Be brief.' }]],
      ['merge consecutive turns of one role', [says('a'), says('b'), assistant(text('c')), assistant(call), user(result)],
        [{ role: 'user', content: 'a\n\nb' }, { ...calling, content: 'c' }, seen]],
      ['omit an assistant turn without content, and merge the turns around it', [says('a'), assistant(), assistant(thinking), says('b')], [{ role: 'user', content: 'a\n\nb' }]],
      ['are one empty user message for a conversation without content', [assistant()], [{ role: 'user', content: '' }]],
      ['keep an empty user turn', [user()], [{ role: 'user', content: '' }]],
      ['keep the order of text and images', [user(text('a'), image, text('b'))],
        [{ role: 'user', content: [{ type: 'text', text: 'a' }, imagePart, { type: 'text', text: 'b' }] }]],
      ['forward the URL of an image', [user({ type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } })],
        [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }]],
      ['have an empty object for empty arguments', [assistant({ ...call, argumentsJson: ' ' }), user(result)],
        [{ ...calling, tool_calls: [{ ...calledLook, function: { name: 'look', arguments: '{}' } }] }, seen]],
      ['have truncated arguments as text in an object', [assistant({ ...call, argumentsJson: '{"a": "x' }), user(result)],
        [{ ...calling, tool_calls: [{ ...calledLook, function: { name: 'look', arguments: '{"_raw":"{\\"a\\": \\"x"}' } }] }, seen]],
      ['have arguments that are not an object as text in an object', [assistant({ ...call, argumentsJson: '[1]' }), user(result)],
        [{ ...calling, tool_calls: [{ ...calledLook, function: { name: 'look', arguments: '{"_raw":"[1]"}' } }] }, seen]],
      ['omit reasoning for a model that does not reason', [assistant(thinking, text('a'))], [{ role: 'assistant', content: 'a' }]],
    ])('%s', (_name, given, messages) => {
      expect(messagesOf(given)).toEqual(messages);
    });

    it('start with the instructions as one message', () => {
      const conversation = { system: [text('Be kind.'), text('Be brief.')], turns: [says('a')] };
      expect(encode({ request: { conversation } })['messages']).toEqual([{ role: 'system', content: 'Be kind.\n\nBe brief.' }, { role: 'user', content: 'a' }]);
    });

    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['goes back', [assistant(thinking, thinking, text('a'))], [{ role: 'assistant', content: 'a', reasoning_content: 'Hm.Hm.' }]],
      ['goes back without text', [assistant(thinking)], [{ role: 'assistant', content: '', reasoning_content: 'Hm.' }]],
      ['is there beside tool calls even when it is empty', [assistant(call), user(result)], [{ ...calling, reasoning_content: '' }, seen]],
      ['is absent where there was none', [assistant(text('a'))], [{ role: 'assistant', content: 'a' }]],
    ])('reasoning of a reasoning model %s', (_name, given, messages) => {
      expect(messagesOf(given, { model: { reasoning: true } })).toEqual(messages);
      expect(JSON.stringify(messagesOf(given, { model: { reasoning: true } }, { reasoningReplay: 'omitted' }))).not.toContain('reasoning_content');
    });

    it('put a later instruction into the user turn if the server requires it', () => {
      expect(messagesOf([assistant(call), system('Be brief.'), user(result, text('b'))], {}, { systemTurns: 'as-user' }))
        .toEqual([calling, seen, { role: 'user', content: 'Be brief.\n\nb' }]);
    });
  });
});
