import { describe, expect, it } from '@jest/globals';
import type { AssistantBlock, JsonObject, TextBlock, ToolCallBlock, Turn } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { aResponsesRequest, ALICE, decode, PLAIN_SEAL, turnsOf } from './test-support/builders.js';

const text = (words: string): TextBlock => ({ type: 'text', text: words });
const user = (words: string): Turn => ({ role: 'user', content: [text(words)] });
const assistant = (...content: readonly AssistantBlock[]): Turn => ({ role: 'assistant', content });
const toolCall = (id: string, name = 'look', argumentsJson = '{}'): ToolCallBlock => ({ type: 'tool-call', id, name, argumentsJson });
const results = (...answers: readonly (readonly [string, string])[]): Turn => ({
  role: 'user',
  content: answers.map(([toolCallId, words]) => ({ type: 'tool-result', toolCallId, content: [text(words)], isError: false })),
});
const thinking = (words: string) => ({ type: 'thinking', text: words, signature: null } as const);

const USER = { role: 'user', content: 'Hi' };
const call = (callId: string, fields: JsonObject = {}): JsonObject => ({ type: 'function_call', call_id: callId, name: 'look', arguments: '{}', ...fields });
const output = (callId: string, said: JsonObject['output'] = `did ${callId}`): JsonObject => ({ type: 'function_call_output', call_id: callId, output: said });
const reasoning = (words: string): JsonObject => ({ type: 'reasoning', summary: [{ type: 'summary_text', text: words }] });
const said = (words: string): JsonObject => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words, annotations: [] }] });
const sealed = (account: string, content: JsonObject): string => PLAIN_SEAL.seal(account as typeof ALICE, JSON.stringify(content));

describe('the input of a responses request', () => {
  it('may be a single user text', () => {
    expect(decode(aResponsesRequest({ input: 'Hi' })).generation.conversation).toEqual({ system: [], turns: [user('Hi')] });
  });

  it('may have messages without a type', () => {
    const items = [USER, { role: 'assistant', content: 'Yes?' }, { id: 'msg_x', role: 'user', content: [{ type: 'input_text', text: 'Go' }], status: 'completed' }];
    expect(turnsOf(...items)).toEqual([user('Hi'), assistant(text('Yes?')), user('Go')]);
    expect(turnsOf(...items)).toEqual(turnsOf(...items.map((item) => ({ type: 'message', ...item }))));
  });

  it('keeps the position of an instruction that follows the first turn', () => {
    const input = [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'a' }] }, { role: 'system', content: 'b' }, USER, { role: 'developer', content: 'c' }, USER];
    expect(decode(aResponsesRequest({ instructions: 'top', input })).generation.conversation).toEqual({
      system: [text('top'), text('a'), text('b')],
      turns: [user('Hi'), { role: 'system', content: [text('c')] }, user('Hi')],
    });
  });

  it.each<readonly [JsonObject['content'], readonly unknown[]]>([
    ['', [text('')]],
    [[], []],
    [[{ type: 'input_text', text: 'a' }, { type: 'text', text: 'b' }], [text('a'), text('b')]],
    [
      [{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'original' }],
      [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } }],
    ],
    [[{ type: 'input_image', image_url: 'http://example.com/a', detail: 'auto' }], [{ type: 'image', source: { kind: 'url', url: 'http://example.com/a' } }]],
  ])('may have the user content %j', (content, blocks) => {
    expect(turnsOf({ type: 'message', role: 'user', content })).toEqual([{ role: 'user', content: blocks }]);
  });

  it.each<readonly [JsonObject['content'], readonly Turn[]]>([
    [null, []], [undefined, []], ['', []], [[], []], [[{ type: 'output_text', text: '' }], []],
    [[{ type: 'output_text', text: 'a', annotations: [], logprobs: [] }, { type: 'refusal', refusal: 'No.' }], [assistant(text('a'), text('No.'))]],
    ['<think>Hm</think>a', [assistant(text('<think>Hm</think>a'))]],
    [[{ type: 'input_text', text: 'a' }], [assistant(text('a'))]],
  ])('may have the assistant content %j', (content, turns) => {
    expect(turnsOf(USER, { type: 'message', role: 'assistant', content, phase: 'commentary' })).toEqual([user('Hi'), ...turns]);
  });

  it.each<readonly [JsonObject['output'], readonly unknown[]]>([
    ['18 degrees', [text('18 degrees')]],
    ['', []], [null, []], [undefined, []], [[], []],
    [[{ type: 'input_text', text: 'a' }, { type: 'output_text', text: '' }, { type: 'output_text', text: 'b' }, { type: 'later_kind' }], [text('a'), text('b')]],
    [
      [{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'high' }],
      [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } }],
    ],
  ])('may have the tool result %j', (returned, content) => {
    for (const type of ['function_call_output', 'custom_tool_call_output']) {
      expect(turnsOf(call('1'), { type, call_id: '1', output: returned })[1]).toEqual(
        { role: 'user', content: [{ type: 'tool-result', toolCallId: '1', content, isError: false }] },
      );
    }
  });

  it('is decoded to calls with the names that upstreams know, and with arguments as text', () => {
    const calls = [
      call('1', { id: 'fc_1', namespace: 'functions', arguments: '{ "a": 1.0' }), call('2', { namespace: 'group', arguments: undefined }),
      { type: 'custom_tool_call', id: 'ctc_1', call_id: '3', name: 'apply_patch', input: '*** "Begin"\n' },
      { type: 'tool_search_call', call_id: '4', execution: 'client', arguments: { query: 'a', limit: 8 } },
      { type: 'tool_search_call', call_id: '5', execution: 'client', arguments: '{"query":' },
      { type: 'tool_search_call', call_id: '6' },
    ];
    expect(turnsOf(...calls)[0]).toEqual(assistant(
      toolCall('1', 'look', '{ "a": 1.0'), toolCall('2', 'group__look', ''), toolCall('3', 'apply_patch', JSON.stringify({ input: '*** "Begin"\n' })),
      toolCall('4', 'tool_search', '{"query":"a","limit":8}'), toolCall('5', 'tool_search', '{"query":'), toolCall('6', 'tool_search'),
    ));
  });

  it('has consecutive assistant items merged into one turn, in their order', () => {
    expect(turnsOf(USER, reasoning('Hm'), said('Let me look.'), call('1'), said('And there.'), call('2'), output('1'), output('2'), said('Done.'))).toEqual([
      user('Hi'),
      assistant(thinking('Hm'), text('Let me look.'), toolCall('1'), text('And there.'), toolCall('2')),
      results(['1', 'did 1'], ['2', 'did 2']),
      assistant(text('Done.')),
    ]);
  });

  it('may have a second call and its output after the output of the first call', () => {
    expect(turnsOf(call('1'), output('1'), call('2'), output('2'))).toEqual([
      assistant(toolCall('1')), results(['1', 'did 1']), assistant(toolCall('2')), results(['2', 'did 2']),
    ]);
  });

  it('may have outputs in any order, which are sorted by their calls', () => {
    expect(turnsOf(call('1'), call('2'), output('2'), output('1'))).toEqual([assistant(toolCall('1'), toolCall('2')), results(['1', 'did 1'], ['2', 'did 2'])]);
  });

  it('has the items that stand between a call and its output moved behind the output', () => {
    const between = { role: 'developer', content: 'b' };
    expect(turnsOf(call('1'), USER, between, output('1'), said('Done.'))).toEqual([
      assistant(toolCall('1')), results(['1', 'did 1']), user('Hi'), { role: 'system', content: [text('b')] }, assistant(text('Done.')),
    ]);
  });

  it('has an aborted output for a call without an output', () => {
    expect(turnsOf(call('1'), call('2'), output('2'), USER)).toEqual([assistant(toolCall('1'), toolCall('2')), results(['1', 'aborted'], ['2', 'did 2']), user('Hi')]);
  });

  it('keeps the last of two outputs of a call', () => {
    expect(turnsOf(call('1'), output('1', 'a'), USER, output('1', 'b'))).toEqual([assistant(toolCall('1')), results(['1', 'b']), user('Hi')]);
  });

  it('may have two calls with the same id, each answered by the next output', () => {
    expect(turnsOf(call('1'), output('1', 'a'), call('1'), output('1', 'b'))).toEqual([
      assistant(toolCall('1')), results(['1', 'a']), assistant(toolCall('1')), results(['1', 'b']),
    ]);
  });

  it.each<readonly [string, readonly JsonObject[], readonly Turn[]]>([
    ['alone', [USER, reasoning('Hm'), USER, reasoning('Hm')], [user('Hi'), user('Hi')]],
    ['behind an empty text', [USER, reasoning('Hm'), said(''), USER], [user('Hi'), user('Hi')]],
    ['that a message follows', [reasoning('Hm'), USER, said('a')], [user('Hi'), assistant(text('a'))]],
    ['that an output follows', [call('1'), reasoning('Hm'), output('1'), said('a')], [assistant(toolCall('1')), results(['1', 'did 1']), assistant(text('a'))]],
    ['at the end of a turn', [said('a'), reasoning('Hm'), USER], [assistant(text('a')), user('Hi')]],
    ['of several items', [reasoning('a'), reasoning('b'), call('1'), output('1')], [assistant(thinking('a'), thinking('b'), toolCall('1')), results(['1', 'did 1'])]],
  ])('never makes a turn of its own of reasoning %s', (_, items, turns) => {
    expect(turnsOf(...items)).toEqual(turns);
  });

  it.each<readonly [JsonObject, AssistantBlock | null]>([
    [{ id: 'rs_1', summary: [{ type: 'summary_text', text: 'a' }, { type: 'summary_text', text: 'b' }], content: null, encrypted_content: null }, thinking('a\n\nb')],
    [{ summary: [], content: [{ type: 'reasoning_text', text: 'a' }] }, thinking('a')],
    [{}, null], [{ summary: null, content: null }, null], [{ summary: 7, content: [7, {}, null] }, null],
    [{ summary: [], encrypted_content: '' }, null],
    [{ summary: [], encrypted_content: sealed(ALICE, { model: 'm', text: 'a', signature: 's' }) }, { ...thinking('a'), signature: 's', signedBy: 'm' }],
    [{ encrypted_content: sealed(ALICE, { model: 'm', text: 'a', signature: null }) }, { ...thinking('a'), signedBy: 'm' }],
    [{ encrypted_content: sealed(ALICE, { model: 'm', text: '', signature: 's' }) }, { ...thinking(''), signature: 's', signedBy: 'm' }],
    [{ encrypted_content: sealed(ALICE, { model: 'm', text: '', signature: null }) }, null],
    [{ ...reasoning('shown'), encrypted_content: sealed('acct_bob', { model: 'm', text: 'a', signature: 's' }) }, thinking('shown')],
    [{ ...reasoning('shown'), encrypted_content: 'gAAAAfromElsewhere' }, thinking('shown')],
    [{ ...reasoning('shown'), encrypted_content: `${ALICE}|no JSON` }, thinking('shown')],
    [{ ...reasoning('shown'), encrypted_content: sealed(ALICE, { version: 7 }) }, thinking('shown')],
    [{ ...reasoning('shown'), encrypted_content: 7 }, thinking('shown')],
  ])('may have reasoning of %j', (item, block) => {
    expect(turnsOf({ type: 'reasoning', ...item }, said('x'))).toEqual([assistant(...(block === null ? [] : [block]), text('x'))]);
  });

  it('has items of unsupported kinds skipped, and the outputs of calls of such kinds', () => {
    const others = [
      'compaction', 'compaction_summary', 'web_search_call', 'mcp_list_tools', 'image_generation_call', 'program', 'toString', 'not_yet_known',
    ].map((type) => ({ type, id: 'x', content: 7 }));
    const shell = [{ type: 'local_shell_call', call_id: 's', action: {} }, output('s'), { type: 'tool_search_call', call_id: null, arguments: {} }];
    expect(turnsOf(USER, said('a'), ...others, said('b'), ...shell)).toEqual([user('Hi'), assistant(text('a'), text('b'))]);
  });

  it('keeps a known call’s result, although an item of an unsupported kind has the same id', () => {
    const other = { type: 'not_yet_known', call_id: '1' };
    expect(turnsOf(call('1'), other, output('1'), other, output('1', 'of the other'))).toEqual([assistant(toolCall('1')), results(['1', 'did 1'])]);
  });

  it.each<readonly [JsonObject, string]>([
    [{ type: 'message', content: 'Hi' }, 'input[1].role'],
    [{ role: 'tool', content: 'x' }, 'input[1].role'],
    [{ role: 'toString', content: 'x' }, 'input[1].role'],
    [{ content: 'Hi' }, 'input[1].type'],
    [{ type: 7, role: 'user', content: 'Hi' }, 'input[1].type'],
    [{ role: 'user' }, 'input[1].content'],
    [{ role: 'user', content: null }, 'input[1].content'],
    [{ role: 'user', content: 7 }, 'input[1].content'],
    [{ role: 'developer', content: null }, 'input[1].content'],
    [{ role: 'user', content: ['Hi'] }, 'input[1].content[0]'],
    [{ role: 'user', content: [{ text: 'a' }] }, 'input[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'input_text' }] }, 'input[1].content[0].text'],
    [{ role: 'user', content: [{ type: 'input_text', text: 'a' }, { type: 'input_file', file_data: '(' }] }, 'input[1].content[1].file_data'],
    [{ role: 'user', content: [{ type: 'input_audio' }] }, 'input[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'refusal', refusal: 'No.' }] }, 'input[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }, 'input[1].content[0].image_url'],
    [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://x' }] }, 'input[1].content[0].image_url'],
    [{ role: 'system', content: [{ type: 'input_image', image_url: 'https://example.com' }] }, 'input[1].content[0].type'],
    [{ role: 'assistant', content: [{ type: 'input_image', image_url: 'https://example.com' }] }, 'input[1].content[0].type'],
    [{ type: 'function_call', name: 'look' }, 'input[1].call_id'],
    [{ type: 'function_call', call_id: '1' }, 'input[1].name'],
    [{ type: 'function_call', call_id: '1', name: 'look', arguments: {} }, 'input[1].arguments'],
    [{ type: 'function_call', call_id: '1', name: 'look', namespace: 7 }, 'input[1].namespace'],
    [{ type: 'custom_tool_call', call_id: '1', name: 'look', input: {} }, 'input[1].input'],
    [{ type: 'tool_search_call', call_id: '1', arguments: [] }, 'input[1].arguments'],
    [{ type: 'tool_search_output', call_id: '1', tools: [] }, 'input[1].call_id'],
    [{ type: 'additional_tools', tools: {} }, 'input[1].tools'],
    [{ type: 'additional_tools', tools: [{ type: 'function' }] }, 'input[1].tools[0].name'],
    [output('1'), 'input[1].call_id'],
    [{ type: 'function_call_output', output: 'a' }, 'input[1].call_id'],
    [{ type: 'function_call_output', call_id: '1', output: [{ type: 'input_file', file_data: '(' }] }, 'input[1].output[0].file_data'],
    [{ type: 'function_call_output', call_id: '1', output: {} }, 'input[1].output'],
  ])('is refused for %j', (item, param) => {
    const refusal = refusalOf(() => turnsOf(USER, item));
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect(refusal?.message).toContain(`'${param}'`);
  });

  it('is refused for an output before its call, and for two calls of one id in a turn', () => {
    expect(refusalOf(() => turnsOf(output('1'), call('1')))?.param).toBe('input[0].call_id');
    expect(refusalOf(() => turnsOf(call('1'), said('a'), call('1')))?.param).toBe('input[2].call_id');
  });

  it.each<readonly [JsonObject['input'], string]>([
    [undefined, 'input'], [null, 'input'], ['', 'input'], [[], 'input'], [7, 'input'], [{}, 'input'], [['Hi'], 'input[0]'], [[null], 'input[0]'],
    [[reasoning('Hm')], 'input'], [[{ type: 'web_search_call' }], 'input'], [[{ type: 'additional_tools', tools: [] }], 'input'],
  ])('is refused when it is %j', (input, param) => {
    expect(refusalOf(() => decode(aResponsesRequest({ input })))).toMatchObject({ code: 'invalid_request', param });
  });

  it.each<readonly [string, (words: string) => JsonObject, string]>([
    ['user message', (content) => ({ role: 'user', content }), 'input[1].content'],
    ['user message of two parts', (words) => ({ role: 'user', content: [{ type: 'input_text', text: words.slice(1) }, { type: 'input_text', text: 'x' }] }), 'input[1].content'],
    ['assistant message', (content) => ({ role: 'assistant', content }), 'input[1].content'],
    ['developer message', (content) => ({ role: 'developer', content }), 'input[1].content'],
    ['output', (words) => output('1', words), 'input[1].output'],
  ])('may hold a million characters in one %s and not one more', (_, item, param) => {
    expect(refusalOf(() => turnsOf(call('1'), item('x'.repeat(1_000_000))))).toBeNull();
    expect(refusalOf(() => turnsOf(call('1'), item('x'.repeat(1_000_001))))?.param).toBe(param);
  });

  it('may have at most a million characters if it is a single text', () => {
    expect(refusalOf(() => decode(aResponsesRequest({ input: 'x'.repeat(1_000_000) })))).toBeNull();
    expect(refusalOf(() => decode(aResponsesRequest({ input: 'x'.repeat(1_000_001) })))?.param).toBe('input');
  });
});
