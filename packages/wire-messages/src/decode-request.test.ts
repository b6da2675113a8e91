import { describe, expect, it } from '@jest/globals';
import type { DecodedRequest, GenerationRequest, JsonObject } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { aMessagesRequest, fieldTypesContract, FULL_MESSAGES_REQUEST, MESSAGES_FIELDS, refusalOf } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';

const decode = (differences: JsonObject): DecodedRequest => messagesFormat.decodeRequest(aMessagesRequest(differences));
const generationOf = (differences: JsonObject): GenerationRequest => decode(differences).generation;
const TOOL = { name: 'look', input_schema: { type: 'object' } };
const DECODED_TOOL = { name: 'look', description: null, inputSchema: jsonDocument({ type: 'object' }) };

describe('a messages request', () => {
  it('with only the required fields turns reasoning off, and leaves everything else to the model', () => {
    expect(decode({})).toEqual({
      generation: {
        model: 'test-model',
        conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
        tools: [],
        toolChoice: null,
        parallelToolCalls: null,
        maxOutputTokens: 100,
        sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
        stopSequences: [],
        reasoning: 'off',
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
    expect(messagesFormat.decodeRequest(FULL_MESSAGES_REQUEST)).toEqual({
      generation: {
        model: 'test-model',
        conversation: {
          system: [{ type: 'text', text: 'Be brief.', cacheMark: { ttl: null } }],
          turns: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What is this?', cacheMark: { ttl: null } },
                { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
                { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
              ],
            },
            { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
            {
              role: 'assistant',
              content: [
                { type: 'thinking', text: 'Hm.', signature: 'signed' },
                { type: 'text', text: 'Let me look.' },
                { type: 'tool-call', id: 'toolu_1', name: 'look', argumentsJson: '{"at":"a"}' },
                { type: 'tool-call', id: 'toolu_2', name: 'look', argumentsJson: '{}' },
              ],
            },
            {
              role: 'user',
              content: [
                { type: 'tool-result', toolCallId: 'toolu_1', content: [{ type: 'text', text: 'A cat.' }], isError: false },
                {
                  type: 'tool-result',
                  toolCallId: 'toolu_2',
                  content: [
                    { type: 'text', text: 'Broken.' },
                    { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
                  ],
                  isError: true,
                },
                { type: 'text', text: 'Which?' },
              ],
            },
          ],
        },
        tools: [{ name: 'look', description: 'Looks.', inputSchema: jsonDocument({ type: 'object', properties: { at: { type: 'string' } } }) }],
        toolChoice: { kind: 'tool', name: 'look' },
        parallelToolCalls: false,
        maxOutputTokens: 100,
        sampling: { temperature: 0.5, topP: 0.9, frequencyPenalty: null, presencePenalty: null },
        stopSequences: ['END', 'STOP'],
        reasoning: 'max',
        responseFormat: 'text',
        outputSchema: null,
        attribution: 'user-1',
        omitted: ['top_k'],
        source: null,
      },
      delivery: 'stream',
      includeUsage: true,
      outputField: 'max_tokens',
    });
  });

  it.each<readonly [JsonObject, Partial<GenerationRequest>]>([
    [{ tools: [TOOL] }, { tools: [DECODED_TOOL] }],
    [{ tools: [TOOL], tool_choice: { type: 'auto' } }, { toolChoice: { kind: 'auto' }, parallelToolCalls: null }],
    [{ tools: [TOOL], tool_choice: { type: 'any', disable_parallel_tool_use: false } }, { toolChoice: { kind: 'any' }, parallelToolCalls: true }],
    [{ tools: [TOOL], tool_choice: { type: 'none', disable_parallel_tool_use: true } }, { toolChoice: { kind: 'none' }, parallelToolCalls: false }],
    [{ tools: [TOOL], tool_choice: { type: 'tool', name: 'look' } }, { toolChoice: { kind: 'tool', name: 'look' } }],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { toolChoice: null, parallelToolCalls: null }],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }, TOOL] }, { tools: [DECODED_TOOL] }],
    [{ tools: [{ ...TOOL, type: 'custom', defer_loading: true, cache_control: {}, strict: true }] }, { tools: [DECODED_TOOL] }],
    [{ tools: [{ ...TOOL, type: 'memory_20250818' }] }, { tools: [DECODED_TOOL] }],
    [{ thinking: { type: 'enabled' } }, { reasoning: 'on' }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { reasoning: 'on' }],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, { reasoning: 'low' }],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, { reasoning: 'off' }],
    [{ output_config: { effort: 'medium' } }, { reasoning: 'off' }],
    [{ output_config: { effort: 'none' } }, { reasoning: 'off' }],
    [{ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }, { responseFormat: 'json', outputSchema: {
      name: null, description: null, strict: null, schema: jsonDocument({ type: 'object' }),
    } }],
    [{ output_format: { type: 'json_schema', schema: { type: 'object' } } }, { responseFormat: 'json', outputSchema: {
      name: null, description: null, strict: null, schema: jsonDocument({ type: 'object' }),
    } }],
    [{ output_config: { format: { type: 'text' } }, output_format: { type: 'json_schema', schema: {} } }, { responseFormat: 'text', outputSchema: null }],
    [{ output_format: { type: 'json_object' } }, { responseFormat: 'json', outputSchema: null }],
    [{ output_config: {} }, { reasoning: 'off' }],
    [{}, { reasoning: 'off' }],
    [{ metadata: {} }, { attribution: null }],
    [{ metadata: { user_id: 'a\0\uDC00' } }, { attribution: 'a\uFFFD\uFFFD' }],
    [{ temperature: 1, top_p: 1, top_k: -1 }, { sampling: { temperature: 1, topP: 1, frequencyPenalty: null, presencePenalty: null } }],
  ])('with %j is decoded to %j', (said, asked) => {
    expect(generationOf(said)).toMatchObject(asked);
  });

  it.each<readonly [JsonObject['system'], readonly string[]]>([
    ['Be brief.', ['Be brief.']],
    ['', []],
    [[], []],
    [[{ type: 'text', text: '' }], []],
    [[{ type: 'text', text: 'a' }, { type: 'document' }, { type: 'text', text: 'b' }], ['a', 'b']],
    [[{ type: 'text', text: 'x-anthropic-billing-header: v=1; e=cli' }, { type: 'text', text: 'a' }], ['a']],
    ['x-anthropic-billing-header: v=1', []],
    ['x-anthropic-billing-header: v=1\nBe brief.', ['Be brief.']],
    ['About x-anthropic-billing-header', ['About x-anthropic-billing-header']],
  ])('reads the system prompt %j', (system, texts) => {
    expect(generationOf({ system }).conversation.system.map((block) => block.text)).toEqual(texts);
  });

  it('may have unknown fields, which are ignored', () => {
    const unknown = { context_management: { edits: [] }, service_tier: 'auto', mcp_servers: [], betas: ['a'], functions: [], constructor: 1 };
    expect(decode(unknown)).toEqual(decode({}));
  });

  it('has the settings named that no upstream is sent, and the tools that only a vendor runs', () => {
    const unsent = { container: 'x', mcp_servers: [{ type: 'url', url: 'https://mcp.example.test', name: 'a' }], top_k: 5 };
    expect(decode(unsent)).toEqual({ ...decode({}), generation: { ...generationOf({}), omitted: ['container', 'mcp_servers', 'top_k'] } });
    expect(generationOf({ ...unsent, tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] }).omitted).toEqual(['tools', 'container', 'mcp_servers', 'top_k']);
  });

  it('is decoded in the same way whether an optional field is null or absent', () => {
    const optional = Object.keys(FULL_MESSAGES_REQUEST).filter((name) => !['model', 'messages', 'max_tokens'].includes(name));
    expect(decode(Object.fromEntries(optional.map((name) => [name, null])))).toEqual(decode({}));
  });

  it('keeps the order and the values of a tool schema', () => {
    const schema = { type: 'object', properties: { z: { enum: [1.5, '\u{1F600}', null] }, a: {} }, additionalProperties: false };
    expect(generationOf({ tools: [{ name: 'look', input_schema: schema }] }).tools[0]?.inputSchema?.text).toBe(JSON.stringify(schema));
  });

  it.each<readonly [JsonObject, string]>([
    [{ model: undefined }, 'model'],
    [{ model: '' }, 'model'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: null }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ system: [{ text: 'a' }] }, 'system[0].type'],
    [{ system: [{ type: 'image', source: {} }] }, 'system[0].type'],
    [{ temperature: 1.1 }, 'temperature'],
    [{ temperature: -0.1 }, 'temperature'],
    [{ top_p: 0 }, 'top_p'],
    [{ top_p: 1.1 }, 'top_p'],
    [{ stop_sequences: 'END' }, 'stop_sequences'],
    [{ stop_sequences: ['a', ''] }, 'stop_sequences[1]'],
    [{ tools: [{ name: 'look' }] }, 'tools[0].input_schema'],
    [{ tools: [{ type: 'custom', name: 'look' }] }, 'tools[0].input_schema'],
    [{ tools: [TOOL, { input_schema: {} }] }, 'tools[1].name'],
    [{ tools: [TOOL], tool_choice: 'auto' }, 'tool_choice'],
    [{ tools: [TOOL], tool_choice: { type: 'required' } }, 'tool_choice.type'],
    [{ tools: [TOOL], tool_choice: { type: 'tool' } }, 'tool_choice.name'],
    [{ tools: [TOOL], tool_choice: { type: 'tool', name: 'jump' } }, 'tool_choice'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ thinking: {} }, 'thinking.type'],
    [{ output_config: { format: { type: 'xml' } } }, 'output_config.format.type'],
    [{ output_format: {} }, 'output_format.type'],
    [{ thinking: { type: 'sometimes' } }, 'thinking.type'],
    [{ output_config: { effort: 'huge' } }, 'output_config.effort'],
  ])('with %j is refused, and the refusal names %s', (said, param) => {
    const refusal = refusalOf(() => decode(said));
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect(refusal?.message).toContain(`'${param}'`);
  });

  it.each([[undefined], [null], ['text'], [7], [[]]])('is refused when its body is %p', (body) => {
    expect(refusalOf(() => messagesFormat.decodeRequest(body))).toMatchObject({ code: 'invalid_request', param: null });
  });

  it.each<readonly [string, (size: number) => JsonObject, number, string]>([
    ['200 messages', (size) => ({ messages: Array.from({ length: size }, () => ({ role: 'user', content: 'Hi' })) }), 200, 'messages'],
    ['128 tools', (size) => ({ tools: Array.from({ length: size }, () => TOOL) }), 128, 'tools'],
    ['16 stop sequences', (size) => ({ stop_sequences: Array.from({ length: size }, () => 'x') }), 16, 'stop_sequences'],
    ['4,096 characters of user id', (size) => ({ metadata: { user_id: 'x'.repeat(size) } }), 4096, 'metadata.user_id'],
  ])('may have %s and not one more', (_, said, limit, param) => {
    expect(refusalOf(() => decode(said(limit)))).toBeNull();
    expect(refusalOf(() => decode(said(limit + 1)))).toMatchObject({ code: 'invalid_request', param });
  });
});

describe('a request to count tokens', () => {
  it('is a messages request whose output limit is optional', () => {
    const { generation } = messagesFormat.decodeRequest(FULL_MESSAGES_REQUEST);
    expect(messagesFormat.decodeTokenCount(FULL_MESSAGES_REQUEST)).toEqual(generation);
    expect(messagesFormat.decodeTokenCount({ ...FULL_MESSAGES_REQUEST, max_tokens: undefined })).toEqual({ ...generation, maxOutputTokens: null });
  });

  it.each<readonly [JsonObject, string]>([
    [{ max_tokens: 0 }, 'max_tokens'], [{ model: null }, 'model'], [{ messages: [] }, 'messages'],
  ])('with %j is refused, and the refusal names %s', (said, param) => {
    expect(refusalOf(() => messagesFormat.decodeTokenCount(aMessagesRequest(said)))?.param).toBe(param);
  });

  it('is answered with the count', () => {
    expect(messagesFormat.encodeTokenCount(17 as never)).toStrictEqual({ input_tokens: 17 });
  });
});

describe('a request of a coding agent', () => {
  it('is decoded completely', () => {
    const userId = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) });
    const decoded = decode({
      stream: true,
      max_tokens: 32_000,
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.0; cc_entrypoint=cli;' },
        { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'List the files.' }] },
        { role: 'system', content: 'Today is Monday.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '', signature: 'signed' },
            { type: 'text', text: 'On it.' },
            { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt', is_error: false, cache_control: { type: 'ephemeral' } }] },
      ],
      tools: [{ name: 'Bash', description: 'Runs.', input_schema: { type: 'object' } }, { name: 'Later', input_schema: {}, defer_loading: true }],
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      metadata: { user_id: userId },
    });
    expect(decoded).toMatchObject({ delivery: 'stream', generation: { reasoning: 'high', attribution: userId, tools: [{ name: 'Bash' }, { name: 'Later' }] } });
    expect(decoded.generation.conversation).toEqual({
      system: [{ type: 'text', text: 'You are an agent.', cacheMark: { ttl: null } }],
      turns: [
        { role: 'user', content: [{ type: 'text', text: 'List the files.' }] },
        { role: 'system', content: [{ type: 'text', text: 'Today is Monday.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', text: '', signature: 'signed' },
            { type: 'text', text: 'On it.' },
            { type: 'tool-call', id: 'toolu_1', name: 'Bash', argumentsJson: '{"command":"ls"}' },
          ],
        },
        { role: 'user', content: [{ type: 'tool-result', toolCallId: 'toolu_1', content: [{ type: 'text', text: 'a.txt' }], isError: false, cacheMark: { ttl: null } }] },
      ],
    });
  });
});

fieldTypesContract('messages', { format: messagesFormat, fields: MESSAGES_FIELDS, full: FULL_MESSAGES_REQUEST });
