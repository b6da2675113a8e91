import { describe, expect, it } from '@jest/globals';
import type { Conversation, JsonObject, TextBlock, Turn } from '@tollgate/core';
import { aMessagesRequest, refusalOf } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';
import { encodeSignature } from './encode-response.js';

const conversationOf = (...messages: readonly JsonObject[]): Conversation =>
  messagesFormat.decodeRequest(aMessagesRequest({ messages })).generation.conversation;
const text = (words: string): TextBlock => ({ type: 'text', text: words });
const USER = { role: 'user', content: 'Hi' };
const USER_TURN: Turn = { role: 'user', content: [text('Hi')] };
/** An assistant message with a call. Tool results without a call would become user content. */
const CALLS = { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }] };

describe('a messages conversation', () => {
  it('keeps the position of an instruction that follows the first turn', () => {
    const request = aMessagesRequest({
      system: 'top',
      messages: [{ role: 'system', content: 'a' }, USER, { role: 'developer', content: 'b' }, USER],
    });
    expect(messagesFormat.decodeRequest(request).generation.conversation).toEqual({
      system: [text('top'), text('a')],
      turns: [USER_TURN, { role: 'system', content: [text('b')] }, USER_TURN],
    });
  });

  it('may begin with the assistant and have consecutive turns of one role', () => {
    const said = { role: 'assistant', content: 'Yes.' };
    const turn: Turn = { role: 'assistant', content: [text('Yes.')] };
    expect(conversationOf(said, said, USER, USER).turns).toEqual([turn, turn, USER_TURN, USER_TURN]);
  });

  it.each<readonly [JsonObject['content'], readonly unknown[]]>([
    ['', [text('')]],
    [[], []],
    ['a\n\u{1F600}\uD83D', [text('a\n\u{1F600}\uD83D')]],
    [[{ type: 'container_upload', source: {} }, { type: 'text', text: 'a' }, { type: 'web_search_tool_result' }, { type: 'toString' }], [text('a')]],
    [[{ type: 'image', source: { type: 'base64', data: 'AA==' } }], [{ type: 'image', source: { kind: 'base64', mediaType: 'image/jpeg', data: 'AA==' } }]],
    [[{ type: 'image', source: { type: 'url', url: 'http://example.com/a' } }], [{ type: 'image', source: { kind: 'url', url: 'http://example.com/a' } }]],
    [
      [{ type: 'image', source: { type: 'url', url: 'data:image/gif;base64,AA==' } }],
      [{ type: 'image', source: { kind: 'base64', mediaType: 'image/gif', data: 'AA==' } }],
    ],
    [
      [{ type: 'text', text: 'first' }, { type: 'tool_result', tool_use_id: '1' }, { type: 'text', text: 'last' }],
      [text('first'), { type: 'tool-result', toolCallId: '1', content: [], isError: false }, text('last')],
    ],
  ])('may have the user content %j', (content, blocks) => {
    const isResult = JSON.stringify(content).includes('tool_use_id');
    expect(conversationOf(...(isResult ? [CALLS] : []), { role: 'user', content }).turns.slice(isResult ? 1 : 0)).toEqual([{ role: 'user', content: blocks }]);
  });

  it.each<readonly [JsonObject['content'], readonly unknown[]]>([
    [null, []],
    [undefined, []],
    ['', []],
    [[], []],
    [[{ type: 'text', text: '' }], []],
    [[{ type: 'redacted_thinking', data: 'x' }, { type: 'text', text: 'a' }], [{ type: 'thinking', text: '', signature: 'x', form: 'redacted-thinking' }, text('a')]],
    [[{ type: 'compaction', content: 'So far.', encrypted_content: 'x' }, { type: 'compaction', content: null }], [text('So far.')]],
    [[{ type: 'redacted_thinking' }, { type: 'server_tool_use', id: '1' }, { type: 'text', text: 'a', citations: null }], [text('a')]],
    [[{ type: 'thinking', thinking: 'Hm', signature: 'tollgate.encrypted-reasoning.a.b' }], [{ type: 'thinking', text: 'Hm', signature: 'a.b', form: 'encrypted-reasoning' }]],
    [[{ type: 'thinking', thinking: 'Hm', signature: 'tollgate.unknown.a' }], [{ type: 'thinking', text: 'Hm', signature: null }]],
    [[{ type: 'thinking', thinking: 'Hm' }], [{ type: 'thinking', text: 'Hm', signature: null }]],
    [[{ type: 'thinking', thinking: 'Hm', signature: '' }], [{ type: 'thinking', text: 'Hm', signature: null }]],
    [[{ type: 'thinking', thinking: 'Hm', signature: encodeSignature({ signature: null }) }], [{ type: 'thinking', text: 'Hm', signature: null }]],
    [[{ type: 'thinking', thinking: 'Hm', signature: 'foreign' }], [{ type: 'thinking', text: 'Hm', signature: 'foreign' }]],
    [[{ type: 'thinking', thinking: '', signature: 'foreign' }], [{ type: 'thinking', text: '', signature: 'foreign' }]],
    [[{ type: 'thinking', thinking: '' }], []],
    [
      [{ type: 'text', text: 'a' }, { type: 'tool_use', id: '1', name: 'look', input: { z: 1.5, a: ['\u{1F600}', null], __proto: {} } }, { type: 'text', text: 'b' }],
      [text('a'), { type: 'tool-call', id: '1', name: 'look', argumentsJson: '{"z":1.5,"a":["\u{1F600}",null],"__proto":{}}' }, text('b')],
    ],
    [[{ type: 'tool_use', id: '1', name: 'look' }], [{ type: 'tool-call', id: '1', name: 'look', argumentsJson: '{}' }]],
    [[{ type: 'tool_use', id: '1', name: 'look', input: null }], [{ type: 'tool-call', id: '1', name: 'look', argumentsJson: '{}' }]],
  ])('may have the assistant content %j', (content, blocks) => {
    expect(conversationOf(USER, { role: 'assistant', content }).turns[1]).toEqual({ role: 'assistant', content: blocks });
  });

  it.each<readonly [JsonObject['content'], readonly unknown[]]>([
    ['18 degrees', [text('18 degrees')]],
    ['', []],
    [null, []],
    [undefined, []],
    [[], []],
    [[{ type: 'text', text: 'a' }, { type: 'tool_reference', tool_name: 'x' }, { type: 'text', text: '' }, { type: 'text', text: 'b' }], [text('a'), text('b')]],
    [
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
      [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } }],
    ],
  ])('may have the tool result %j', (content, blocks) => {
    const result = { type: 'tool_result', tool_use_id: '1', content, is_error: true };
    expect(conversationOf(CALLS, { role: 'user', content: [result] }).turns[1]?.content).toEqual([
      { type: 'tool-result', toolCallId: '1', content: blocks, isError: true },
    ]);
  });

  const plain = (source: JsonObject, fields: JsonObject = {}): JsonObject => ({ type: 'document', source, ...fields });
  it.each<readonly [JsonObject, string | null]>([
    [plain({ type: 'text', media_type: 'text/plain', data: 'Line 1\nLine 2' }), '<document>\nLine 1\nLine 2\n</document>'],
    [
      plain({ type: 'text', data: 'a' }, { title: 'T', context: 'C', citations: { enabled: true } }),
      '<document>\n<title>T</title>\n<context>C</context>\na\n</document>',
    ],
    [plain({ type: 'text', data: 'a' }, { title: null, context: '' }), '<document>\na\n</document>'],
    [plain({ type: 'content', content: 'a' }), '<document>\na\n</document>'],
    [plain({ type: 'content', content: [{ type: 'text', text: 'a' }, { type: 'later_kind' }, { type: 'text', text: 'b' }] }), '<document>\na\nb\n</document>'],
    [plain({ type: 'base64', media_type: 'image/png', data: 'AA==' }), '[The document was left out here, because this model cannot read it.]'],
    [plain({ type: 'file', file_id: 'f' }, { title: 'Report' }), '[The document "Report" was left out here, because this model cannot read it.]'],
    [plain({ type: 'toString' }), '[The document was left out here, because this model cannot read it.]'],
    [
      { type: 'search_result', source: 'https://example.com/a', title: 'T', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }], citations: { enabled: true } },
      '<search_result>\n<source>https://example.com/a</source>\n<title>T</title>\na\nb\n</search_result>',
    ],
    [{ type: 'search_result', content: [] }, '<search_result>\n</search_result>'],
  ])('has %j as text, also in a tool result', (block, words) => {
    const said = [text('before'), ...(words === null ? [] : [text(words)]), text('after')];
    const content = [{ type: 'text', text: 'before' }, block, { type: 'text', text: 'after' }];
    expect(conversationOf({ role: 'user', content }).turns[0]?.content).toEqual(said);
    expect(conversationOf(CALLS, { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content }] }).turns[1]?.content).toEqual([
      { type: 'tool-result', toolCallId: '1', content: said, isError: false },
    ]);
  });

  const picture = { type: 'image', source: { type: 'url', url: 'https://images.example/1.png' } };
  const readPicture = { type: 'image', source: { kind: 'url', url: 'https://images.example/1.png' } };
  it.each<readonly [JsonObject, readonly unknown[]]>([
    [
      plain({ type: 'content', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, picture, { type: 'text', text: 'c' }] }, { title: 'T' }),
      [text('<document>\n<title>T</title>\na\nb'), readPicture, text('c\n</document>')],
    ],
    [plain({ type: 'content', content: [picture, picture] }), [text('<document>'), readPicture, readPicture, text('</document>')]],
    [
      plain({ type: 'content', content: [picture] }, { cache_control: { type: 'ephemeral' } }),
      [text('<document>'), readPicture, { ...text('</document>'), cacheMark: { ttl: null } }],
    ],
    [
      { type: 'search_result', source: 's', title: 't', content: [picture, { type: 'text', text: 'a' }] },
      [text('<search_result>\n<source>s</source>\n<title>t</title>'), readPicture, text('a\n</search_result>')],
    ],
  ])('keeps the images of %j in their places, also in a tool result', (block, blocks) => {
    expect(conversationOf({ role: 'user', content: [block] }).turns[0]?.content).toEqual(blocks);
    expect(conversationOf(CALLS, { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: [block] }] }).turns[1]?.content).toEqual([
      { type: 'tool-result', toolCallId: '1', content: blocks, isError: false },
    ]);
  });

  it.each<readonly [JsonObject, string]>([
    [{ role: 'user', content: [plain({ type: 'content', content: [{ type: 'image', source: {} }] })] }, 'messages[1].content[0].source.content[0].source.type'],
    [{ role: 'user', content: [plain({ type: 'content', content: [{ type: 'tool_result', tool_use_id: '1' }] })] }, 'messages[1].content[0].source.content[0].type'],
    [{ role: 'user', content: [{ type: 'document' }] }, 'messages[1].content[0].source'],
    [{ role: 'user', content: [{ type: 'document', source: {} }] }, 'messages[1].content[0].source.type'],
    [{ role: 'user', content: [plain({ type: 'text' })] }, 'messages[1].content[0].source.data'],
    [{ role: 'user', content: [plain({ type: 'content', content: [{ text: 'a' }] })] }, 'messages[1].content[0].source.content[0].type'],
    [{ role: 'user', content: [plain({ type: 'text', data: 'a' }, { title: 7 })] }, 'messages[1].content[0].title'],
    [{ role: 'user', content: [{ type: 'search_result', source: 's', title: 't' }] }, 'messages[1].content[0].content'],
    [{ role: 'user', content: [{ type: 'search_result', source: 's', title: 't', content: 7 }] }, 'messages[1].content[0].content'],
    [{ content: 'Hi' }, 'messages[1].role'],
    [{ role: 'tool', tool_call_id: '1', content: 'x' }, 'messages[1].role'],
    [{ role: 'user' }, 'messages[1].content'],
    [{ role: 'user', content: null }, 'messages[1].content'],
    [{ role: 'user', content: ['Hi'] }, 'messages[1].content[0]'],
    [{ role: 'user', content: [{ text: 'a' }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'messages[1].content[0].text'],
    [{ role: 'user', content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'thinking', thinking: 'x' }] }, 'messages[1].content[0].type'],
    [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }, 'messages[1].content[0].tool_use_id'],
    [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'x' } }] }, 'messages[1].content[0].source.type'],
    [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', data: 'no!' } }] }, 'messages[1].content[0].source.data'],
    [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'data:,x' } }] }, 'messages[1].content[0].source.url'],
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: '1' }, { type: 'tool_result', tool_use_id: '1' }] }, 'messages[1].content'],
    [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: '1' }] }, 'messages[1].content[0].type'],
    [{ role: 'assistant', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com' } }] }, 'messages[1].content[0].type'],
    [{ role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: '{}' }] }, 'messages[1].content[0].input'],
    [{ role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'a' }, { type: 'tool_use', id: '1', name: 'b' }] }, 'messages[1].content'],
    [{ role: 'system', content: null }, 'messages[1].content'],
    [{ role: 'system', content: [{ type: 'tool_result', tool_use_id: '1' }] }, 'messages[1].content[0].type'],
  ])('is refused for %j', (message, param) => {
    expect(refusalOf(() => conversationOf(USER, message))).toMatchObject({ code: 'invalid_request', param });
  });

  it.each<readonly [string, (words: string) => JsonObject]>([
    ['user message', (words) => ({ role: 'user', content: words })],
    ['user message of two blocks', (words) => ({ role: 'user', content: [{ type: 'text', text: words.slice(1) }, { type: 'text', text: 'x' }] })],
    ['document', (words) => ({ role: 'user', content: [plain({ type: 'text', data: words.slice('<document>\n\n</document>'.length) })] })],
    ['tool result', (words) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: words }] })],
    ['assistant message', (words) => ({ role: 'assistant', content: words })],
    ['system turn', (words) => ({ role: 'system', content: words })],
  ])('may hold a million characters in one %s and not one more', (_, message) => {
    expect(refusalOf(() => conversationOf(USER, message('x'.repeat(1_000_000))))).toBeNull();
    expect(refusalOf(() => conversationOf(USER, message('x'.repeat(1_000_001))))?.param).toBe('messages[1].content');
  });
});
