import { describe, expect, it } from '@jest/globals';
import type { Conversation, JsonObject, TextBlock, Turn } from '@tollgate/core';
import { aChatRequest, refusalOf } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';

const conversationOf = (...messages: readonly JsonObject[]): Conversation =>
  chatFormat.decodeRequest(aChatRequest({ messages })).generation.conversation;
const text = (words: string): TextBlock => ({ type: 'text', text: words });
const call = (id: string, args: string | null = '{}') => ({ id, type: 'function', function: { name: 'look', arguments: args } });
const USER = { role: 'user', content: 'Hi' };
const USER_TURN: Turn = { role: 'user', content: [text('Hi')] };
/** An assistant message with calls. Tool results without a call would become user content. */
const calls = (...ids: readonly string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })) });

describe('a chat conversation', () => {
  it('keeps the position of an instruction that follows the first turn', () => {
    expect(conversationOf({ role: 'system', content: 'a' }, USER, { role: 'developer', content: 'b' }, USER)).toEqual({
      system: [text('a')],
      turns: [USER_TURN, { role: 'system', content: [text('b')] }, USER_TURN],
    });
  });

  it.each(['', [], [{ type: 'text', text: '' }]])('omits the text of the empty instruction %j', (content) => {
    expect(conversationOf({ role: 'system', content }, USER, { role: 'developer', content }, USER))
      .toEqual({ system: [], turns: [USER_TURN, { role: 'system', content: [] }, USER_TURN] });
  });

  it('of only an instruction has this instruction as its turn', () => {
    expect(conversationOf({ role: 'system', content: 'Say hi.' })).toEqual({ system: [], turns: [{ role: 'system', content: [text('Say hi.')] }] });
  });

  it('keeps consecutive turns of one role separate', () => {
    const said = { role: 'assistant', content: 'Yes.' };
    const turn: Turn = { role: 'assistant', content: [text('Yes.')] };
    expect(conversationOf(USER, USER, said, said).turns).toEqual([USER_TURN, USER_TURN, turn, turn]);
  });

  it.each<readonly [JsonObject, Turn]>([
    [{ role: 'user', content: '' }, { role: 'user', content: [text('')] }],
    [{ role: 'user', content: [] }, { role: 'user', content: [] }],
    [{ role: 'user', content: 'a\n\u{1F600}\uD83D', name: 'Ann' }, { role: 'user', content: [text('a\n\u{1F600}\uD83D')] }],
    [{ role: 'assistant', content: null }, { role: 'assistant', content: [] }],
    [{ role: 'assistant', content: '' }, { role: 'assistant', content: [] }],
    [{ role: 'assistant' }, { role: 'assistant', content: [] }],
    [{ role: 'assistant', content: 'a', tool_calls: [], function_call: null, refusal: null, audio: null }, { role: 'assistant', content: [text('a')] }],
    [{ role: 'assistant', content: 'a', reasoning_content: '' }, { role: 'assistant', content: [text('a')] }],
    [
      { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [call('1'), call('2', '{"a": 1e3}')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm', signature: null },
          { type: 'tool-call', id: '1', name: 'look', argumentsJson: '{}' },
          { type: 'tool-call', id: '2', name: 'look', argumentsJson: '{"a": 1e3}' },
        ],
      },
    ],
    [
      {
        role: 'assistant', content: 'a', refusal: 'No.', reasoning_content: 'Hm', reasoning_details: [{ id: 1 }], extra_content: { b: 2 },
        tool_calls: [{ ...call('1'), extra_content: { c: 3 } }, call('2')],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm', signature: '[{"id":1}]', form: 'reasoning-details' },
          text('a'),
          text('No.'),
          { type: 'thinking', text: '', signature: '{"b":2}', form: 'message-extra' },
          { type: 'thinking', text: '', signature: '{"c":3}', form: 'call-extra' },
          { type: 'tool-call', id: '1', name: 'look', argumentsJson: '{}' },
          { type: 'tool-call', id: '2', name: 'look', argumentsJson: '{}' },
        ],
      },
    ],
    [
      { role: 'assistant', content: 'Let me see.', tool_calls: [call('1', '{"cut'), call('2', ''), call('3', null)] },
      {
        role: 'assistant',
        content: [
          text('Let me see.'),
          { type: 'tool-call', id: '1', name: 'look', argumentsJson: '{"cut' },
          { type: 'tool-call', id: '2', name: 'look', argumentsJson: '' },
          { type: 'tool-call', id: '3', name: 'look', argumentsJson: '' },
        ],
      },
    ],
  ])('has, for the message %j, the turn %j', (message, turn) => {
    expect(conversationOf(USER, message).turns[1]).toEqual(turn);
  });

  it.each<readonly [JsonObject['content'], readonly unknown[]]>([
    ['18 degrees', [text('18 degrees')]],
    ['', []],
    [null, []],
    [undefined, []],
    [[], []],
    [[{ type: 'text', text: 'a' }, { type: 'text', text: '' }, { type: 'text', text: 'b' }], [text('a'), text('b')]],
    [
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
      [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } }],
    ],
  ])('may have the tool result %j', (content, blocks) => {
    expect(conversationOf(calls('1'), { role: 'tool', tool_call_id: '1', content }).turns[1]).toEqual({
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: '1', content: blocks, isError: false }],
    });
  });

  it('merges consecutive tool messages into one turn, in order', () => {
    const result = (id: string, words: string) => ({ type: 'tool-result', toolCallId: id, content: [text(words)], isError: false });
    const tool = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
    expect(conversationOf(calls('1', '2'), tool('2', 'b'), tool('1', 'a'), USER, calls('1'), tool('1', 'again')).turns.filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', content: [result('2', 'b'), result('1', 'a')] },
      USER_TURN,
      { role: 'user', content: [result('1', 'again')] },
    ]);
  });

  it.each<readonly [JsonObject, string]>([
    [{ content: 'Hi' }, 'messages[1].role'],
    [{ role: 'function', name: 'look', content: 'x' }, 'messages[1].role'],
    [{ role: 'constructor', content: 'x' }, 'messages[1].role'],
    [{ role: 'user' }, 'messages[1].content'],
    [{ role: 'user', content: null }, 'messages[1].content'],
    [{ role: 'system', content: null }, 'messages[1].content'],
    [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'toString' }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ text: 'a' }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'messages[1].content[0].text'],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png,x' } }] }, 'messages[1].content[0].image_url.url'],
    [{ role: 'user', content: [{ type: 'image_url', image_url: 'data:;base64,' }] }, 'messages[1].content[0].image_url'],
    [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }] }, 'messages[1].content[0].type'],
    [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }] }, 'messages[1].content[0].type'],
    [{ role: 'assistant', function_call: { name: 'look', arguments: '{}' } }, 'messages[1].function_call'],
    [{ role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'look', arguments: '{}' } }] }, 'messages[1].tool_calls[0].id'],
    [{ role: 'assistant', tool_calls: [{ id: '1', type: 'custom', custom: {} }] }, 'messages[1].tool_calls[0].type'],
    [{ role: 'assistant', tool_calls: [call('1'), call('1')] }, 'messages[1].tool_calls'],
    [{ role: 'tool', content: 'x' }, 'messages[1].tool_call_id'],
    [{ role: 'tool', tool_call_id: '', content: 'x' }, 'messages[1].tool_call_id'],
  ])('is refused for %j', (message, param) => {
    expect(refusalOf(() => conversationOf(USER, message))).toMatchObject({ code: 'invalid_request', param });
  });

  it('is refused for two results of one call in consecutive tool messages', () => {
    const tool = { role: 'tool', tool_call_id: '1', content: 'x' };
    expect(refusalOf(() => conversationOf(USER, tool, tool))?.param).toBe('messages[2].tool_call_id');
  });

  it.each(['user', 'assistant', 'system', 'tool'])('accepts at most a million characters in one %s message', (role) => {
    const message = (characters: number) => ({ role, tool_call_id: '1', content: 'x'.repeat(characters) });
    expect(refusalOf(() => conversationOf(USER, message(1_000_000)))).toBeNull();
    expect(refusalOf(() => conversationOf(USER, message(1_000_001)))?.param).toBe('messages[1].content');
  });
});
