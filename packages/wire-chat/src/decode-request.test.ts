import { describe, expect, it } from '@jest/globals';
import type { DecodedRequest, GenerationRequest, JsonObject } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { aChatRequest, CHAT_FIELDS, fieldTypesContract, FULL_CHAT_REQUEST, refusalOf } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';

const decode = (differences: JsonObject): DecodedRequest => chatFormat.decodeRequest(aChatRequest(differences));
const generationOf = (differences: JsonObject): GenerationRequest => decode(differences).generation;
const TOOL = { type: 'function', function: { name: 'look' } };
const DECODED_TOOL = { name: 'look', description: null, inputSchema: null };

describe('a chat request', () => {
  it('with only the required fields leaves everything else to the model', () => {
    expect(decode({})).toEqual({
      generation: {
        model: 'test-model',
        conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
        tools: [],
        toolChoice: null,
        parallelToolCalls: null,
        maxOutputTokens: null,
        sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
        stopSequences: [],
        reasoning: 'model-default',
        responseFormat: 'text',
        outputSchema: null,
        attribution: null,
        source: null,
      },
      delivery: 'whole',
      includeUsage: true,
      outputField: 'max_tokens',
    });
  });

  it('with every field is decoded completely', () => {
    expect(chatFormat.decodeRequest(FULL_CHAT_REQUEST)).toEqual({
      generation: {
        model: 'test-model',
        conversation: {
          system: [{ type: 'text', text: 'Be brief.' }, { type: 'text', text: 'Be kind.' }],
          turns: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What is this?' },
                { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
                { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
              ],
            },
            {
              role: 'assistant',
              content: [
                { type: 'thinking', text: 'Hm.', signature: null },
                { type: 'text', text: 'Let me look.' },
                { type: 'text', text: 'Not that.' },
                { type: 'tool-call', id: 'call_1', name: 'look', argumentsJson: '{"at":"a"}' },
                { type: 'tool-call', id: 'call_2', name: 'look', argumentsJson: '{"at":"b"}' },
              ],
            },
            {
              role: 'user',
              content: [
                { type: 'tool-result', toolCallId: 'call_1', content: [{ type: 'text', text: 'A cat.' }], isError: false },
                { type: 'tool-result', toolCallId: 'call_2', content: [{ type: 'text', text: 'A dog.' }], isError: false },
              ],
            },
            { role: 'user', content: [{ type: 'text', text: 'Which?' }] },
          ],
        },
        tools: [{ name: 'look', description: 'Looks.', inputSchema: jsonDocument({ type: 'object', properties: { at: { type: 'string' } } }) }],
        toolChoice: { kind: 'tool', name: 'look' },
        parallelToolCalls: true,
        maxOutputTokens: 200,
        sampling: { temperature: 0.5, topP: 0.9, frequencyPenalty: -1, presencePenalty: 1 },
        stopSequences: ['END', 'STOP'],
        reasoning: 'low',
        responseFormat: 'json',
        outputSchema: null,
        attribution: 'user-1',
        source: null,
      },
      delivery: 'stream',
      includeUsage: false,
      outputField: 'max_completion_tokens',
    });
  });

  it.each<readonly [JsonObject, Partial<GenerationRequest>]>([
    [{ max_tokens: 7 }, { maxOutputTokens: 7 as never }],
    [{ max_completion_tokens: 8 }, { maxOutputTokens: 8 as never }],
    [{ max_tokens: 9, max_completion_tokens: 8 }, { maxOutputTokens: 8 as never }],
    [{ stop: 'END' }, { stopSequences: ['END'] }],
    [{ stop: [] }, { stopSequences: [] }],
    [{ response_format: { type: 'text' } }, { responseFormat: 'text' }],
    [{ response_format: { type: 'json_object' } }, { responseFormat: 'json' }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'x', description: 'd', strict: true, schema: { type: 'object' } } } }, {
      responseFormat: 'json', outputSchema: { name: 'x', description: 'd', strict: true, schema: jsonDocument({ type: 'object' }) },
    }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 7, description: null, strict: 'yes', schema: {} } } }, {
      responseFormat: 'json', outputSchema: { name: null, description: null, strict: null, schema: jsonDocument({}) },
    }],
    [{ response_format: { type: 'json_schema' } }, { responseFormat: 'json', outputSchema: null }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'x', schema: 'any' } } }, { responseFormat: 'json', outputSchema: null }],
    [{ response_format: { type: 'json_schema', json_schema: [] } }, { responseFormat: 'json', outputSchema: null }],
    [{ response_format: { type: 'json_object', json_schema: { schema: {} } } }, { responseFormat: 'json', outputSchema: null }],
    [{ tools: [] }, { tools: [] }],
    [{ tools: [TOOL], tool_choice: 'none' }, { tools: [DECODED_TOOL], toolChoice: { kind: 'none' } }],
    [{ tools: [TOOL], tool_choice: 'auto' }, { toolChoice: { kind: 'auto' } }],
    [{ tools: [TOOL], tool_choice: 'required' }, { toolChoice: { kind: 'any' } }],
    [{ tools: [TOOL], tool_choice: { type: 'function', function: { name: 'look' } } }, { toolChoice: { kind: 'tool', name: 'look' } }],
    [{ tool_choice: 'auto' }, { toolChoice: null }],
    [{ tools: [], tool_choice: 'none' }, { toolChoice: null }],
    [{ tools: [TOOL], parallel_tool_calls: false }, { parallelToolCalls: false }],
    [{ parallel_tool_calls: false }, { parallelToolCalls: null }],
    [{ reasoning_effort: 'none' }, { reasoning: 'off' }],
    [{ reasoning_effort: 'medium' }, { reasoning: 'high' }],
    [{ reasoning_effort: 'max' }, { reasoning: 'max' }],
    [{ thinking: { type: 'enabled' } }, { reasoning: 'on' }],
    [{ thinking: { type: 'disabled' }, reasoning_effort: 'high' }, { reasoning: 'off' }],
    [{ thinking: { type: 'enabled' }, reasoning_effort: 'high' }, { reasoning: 'high' }],
    [{ user: 'a\0b\uD800' }, { attribution: 'a\uFFFDb\uFFFD' }],
    [{ user: 'older', safety_identifier: 'newer' }, { attribution: 'newer' }],
    [{ temperature: 2, top_p: 1 }, { sampling: { temperature: 2, topP: 1, frequencyPenalty: null, presencePenalty: null } }],
  ])('with %j is decoded to %j', (said, asked) => {
    expect(generationOf(said)).toMatchObject(asked);
  });

  it.each<readonly [JsonObject, DecodedRequest['delivery'], boolean]>([
    [{ stream: true }, 'stream', true],
    [{ stream: false }, 'whole', true],
    [{ stream: true, stream_options: {} }, 'stream', true],
    [{ stream: true, stream_options: { include_usage: true } }, 'stream', true],
    [{ stream: true, stream_options: { include_usage: false } }, 'stream', false],
  ])('with %j has the delivery %s, and reports usage: %p', (said, delivery, includeUsage) => {
    expect(decode(said)).toMatchObject({ delivery, includeUsage });
  });

  it('may have unknown fields, which are ignored', () => {
    expect(decode({ metadata: { a: 1 }, store: true, logprobs: true, top_logprobs: 3, logit_bias: {}, constructor: 'x' })).toEqual(decode({}));
  });

  it('has the settings named that no upstream is sent', () => {
    expect(decode({ seed: 1, web_search_options: {}, verbosity: 'low' })).toEqual({ ...decode({}), generation: { ...generationOf({}), omitted: ['seed', 'verbosity', 'web_search_options'] } });
  });

  it('is decoded in the same way whether an optional field is null or absent', () => {
    const optional = Object.keys(FULL_CHAT_REQUEST).filter((name) => name !== 'model' && name !== 'messages');
    const nulls = Object.fromEntries([...optional, 'functions', 'function_call'].map((name) => [name, null]));
    expect(decode(nulls)).toEqual(decode({}));
  });

  it('keeps the order and the values of a tool schema', () => {
    const parameters = { type: 'object', properties: { z: { enum: [1.5, '\u{1F600}', null] }, a: {} }, additionalProperties: false, $defs: {} };
    const [tool] = generationOf({ tools: [{ type: 'function', function: { name: 'look', parameters, strict: true } }] }).tools;
    expect(tool?.inputSchema?.text).toBe(JSON.stringify(parameters));
  });

  it.each<readonly [JsonObject, string]>([
    [{ model: undefined }, 'model'],
    [{ model: '' }, 'model'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_tokens: -1, max_completion_tokens: 5 }, 'max_tokens'],
    [{ temperature: 2.1 }, 'temperature'],
    [{ temperature: -0.1 }, 'temperature'],
    [{ top_p: 0 }, 'top_p'],
    [{ top_p: 1.1 }, 'top_p'],
    [{ frequency_penalty: 2.1 }, 'frequency_penalty'],
    [{ presence_penalty: -2.1 }, 'presence_penalty'],
    [{ stop: '' }, 'stop'],
    [{ stop: ['a', ''] }, 'stop[1]'],
    [{ response_format: {} }, 'response_format.type'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ tools: [{ function: { name: 'look' } }] }, 'tools[0].type'],
    [{ tools: [TOOL, { type: 'custom', custom: {} }] }, 'tools[1].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].function'],
    [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    [{ tools: [TOOL], tool_choice: 'maybe' }, 'tool_choice'],
    [{ tools: [TOOL], tool_choice: {} }, 'tool_choice.type'],
    [{ tools: [TOOL], tool_choice: { type: 'function' } }, 'tool_choice.function'],
    [{ tools: [TOOL], tool_choice: { type: 'function', function: { name: 'jump' } } }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ reasoning_effort: 'huge' }, 'reasoning_effort'],
    [{ thinking: {} }, 'thinking.type'],
    [{ n: 2 }, 'n'],
    [{ functions: [{ name: 'look' }] }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
  ])('with %j is refused, and the refusal names %s', (said, param) => {
    const refusal = refusalOf(() => decode(said));
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect(refusal?.message).toContain(`'${param}'`);
  });

  it.each([[undefined], [null], ['text'], [7], [[]]])('is refused when its body is %p', (body) => {
    expect(refusalOf(() => chatFormat.decodeRequest(body))).toMatchObject({ code: 'invalid_request', param: null });
  });

  it.each<readonly [string, (size: number) => JsonObject, number, string]>([
    ['200 messages', (size) => ({ messages: Array.from({ length: size }, () => ({ role: 'user', content: 'Hi' })) }), 200, 'messages'],
    ['128 tools', (size) => ({ tools: Array.from({ length: size }, () => TOOL) }), 128, 'tools'],
    ['16 stop sequences', (size) => ({ stop: Array.from({ length: size }, () => 'x') }), 16, 'stop'],
    ['256 characters of user', (size) => ({ user: 'x'.repeat(size) }), 256, 'user'],
    ['256 characters of safety_identifier', (size) => ({ safety_identifier: 'x'.repeat(size) }), 256, 'safety_identifier'],
  ])('may have %s and not one more', (_, said, limit, param) => {
    expect(refusalOf(() => decode(said(limit)))).toBeNull();
    expect(refusalOf(() => decode(said(limit + 1)))).toMatchObject({ code: 'invalid_request', param });
  });
});

fieldTypesContract('chat', { format: chatFormat, fields: CHAT_FIELDS, full: FULL_CHAT_REQUEST });
