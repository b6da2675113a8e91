import { describe, expect, it } from '@jest/globals';
import { DEFAULT_REQUEST_LIMITS, type GenerationRequest, type JsonObject } from '@tollgate/core';
import { aMessagesRequest, refusalOf } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';

const decode = (messages: readonly JsonObject[], differences: JsonObject = {}): GenerationRequest =>
  messagesFormat.decodeRequest(aMessagesRequest({ messages, ...differences })).generation;

const USER = { role: 'user', content: 'Hi' };
const SAID = { role: 'assistant', content: 'Yes.' };
const CALL = { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }] };
const RESULT = { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'A cat.' }] };
const system = (fields: JsonObject): JsonObject => ({ role: 'system', ...fields });

describe('the effort of a system message', () => {
  const ON = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };
  const low = system({ content: [], output_config: { effort: 'low' } });
  const max = system({ content: null, output_config: { effort: 'max' } });

  it.each<readonly [string, readonly JsonObject[], string]>([
    ['applies from the input directly before it', [USER, low], 'low'],
    ['applies from the next input', [USER, SAID, low, USER], 'low'],
    ['applies to later replies too', [USER, low, SAID, USER, SAID, USER], 'low'],
    ['applies until another effort replaces it', [USER, low, SAID, USER, max], 'max'],
    ['does not apply before the next input', [USER, SAID, low], 'high'],
    ['does not apply from the result of a tool on', [USER, CALL, RESULT, low], 'high'],
    ['applies while tools are called', [USER, low, CALL, RESULT], 'low'],
  ])('%s', (_what, messages, reasoning) => {
    expect(decode(messages, ON).reasoning).toBe(reasoning);
  });

  it('adds no turn, and does not turn thinking on', () => {
    const { conversation, reasoning } = decode([USER, low]);
    expect([conversation.turns.map(({ role }) => role), reasoning]).toEqual([['user'], 'off']);
  });
});

describe('a system message with `clear_at`', () => {
  const note = system({ content: 'Only now.', clear_at: 'next_user_message' });

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['is shown to the model until the next message of the user', [USER, note, SAID], ['user', 'system', 'assistant']],
    ['is left out after the next message of the user', [USER, note, SAID, USER], ['user', 'assistant', 'user']],
    ['is left out after the result of a tool', [USER, note, CALL, RESULT], ['user', 'assistant', 'user']],
    ['stays if it is never cleared', [USER, system({ content: 'Always.', clear_at: 'never' }), SAID, USER], ['user', 'system', 'assistant', 'user']],
  ])('%s', (_what, messages, roles) => {
    expect(decode(messages).conversation.turns.map(({ role }) => role)).toEqual(roles);
  });
});

describe('tools that system messages change', () => {
  const tool = (name: string, description = name): JsonObject => ({ name, description, input_schema: { type: 'object' } });
  const defines = (...tools: readonly JsonObject[]): JsonObject => system({ content: tools.map((definition) => ({ type: 'tool_addition', tool: { type: 'tool_definition', definition } })) });
  const refers = (type: string, name: string): JsonObject => system({ content: [{ type, tool: { type: 'tool_reference', name } }] });
  const offered = (messages: readonly JsonObject[], differences: JsonObject = {}): readonly (string | null)[] =>
    decode(messages, { tools: [tool('look')], ...differences }).tools.map(({ description }) => description);

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['are offered beside those of the request', [USER, defines(tool('ask'), tool('tell'))], ['look', 'ask', 'tell']],
    ['replace an earlier tool of the same name', [USER, defines(tool('look', 'newer'))], ['newer']],
    ['are no longer offered after their removal', [USER, refers('tool_removal', 'look')], []],
    ['are offered again if they are added again', [USER, defines(tool('ask')), refers('tool_removal', 'ask'), SAID, USER, refers('tool_addition', 'ask')], ['look', 'ask']],
    ['are ignored if they are unknown', [USER, refers('tool_removal', 'none'), refers('tool_addition', 'none')], ['look']],
    ['of a vendor are ignored', [USER, defines({ type: 'web_search_20250305', name: 'web_search' }), system({ content: [{ type: 'tool_addition', tool: { type: 'mcp_toolset_reference', mcp_server_name: 'x' } }] })], ['look']],
  ])('%s', (_what, messages, tools) => {
    expect(offered(messages)).toEqual(tools);
  });

  it('add a turn only together with a text', () => {
    const { turns } = decode([USER, defines(tool('ask')), { ...refers('tool_removal', 'ask'), content: [{ type: 'text', text: 'Ask no more.' }, { type: 'tool_removal', tool: { type: 'tool_reference', name: 'ask' } }] }]).conversation;
    expect(turns.map(({ role }) => role)).toEqual(['user', 'system']);
  });

  it('may be named by the tool choice, unless they are removed', () => {
    expect(decode([USER, defines(tool('ask'))], { tool_choice: { type: 'tool', name: 'ask' } }).toolChoice).toEqual({ kind: 'tool', name: 'ask' });
    expect(refusalOf(() => offered([USER, refers('tool_removal', 'look')], { tool_choice: { type: 'tool', name: 'look' } }))?.param).toBe('tool_choice');
  });

  it('count towards the limit together with the tools of the request', () => {
    const most = DEFAULT_REQUEST_LIMITS.tools;
    const named = (count: number): readonly JsonObject[] => Array.from({ length: count }, (_, number) => tool(`tool${number}`));
    expect(offered([USER, defines(...named(most - 1))])).toHaveLength(most);
    expect(refusalOf(() => offered([USER, defines(...named(most))]))?.param).toBe('messages');
  });

  it.each<readonly [JsonObject, string]>([
    [{ type: 'tool_addition' }, 'tool'],
    [{ type: 'tool_removal', tool: { type: 'tool_reference' } }, 'tool.name'],
    [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: { name: 'ask' } } }, 'tool.definition.input_schema'],
  ])('are refused if they are incomplete: %j', (block, field) => {
    expect(refusalOf(() => offered([USER, system({ content: [block] })]))?.param).toBe(`messages[1].content[0].${field}`);
  });
});
