import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { jsonDocument, printerFor } from '@tollgate/json-text';
import { textOfPieces } from '@tollgate/testkit';
import { parseJsonBody } from './parse-json-body.js';

interface Body {
  readonly tools: readonly { readonly input_schema: JsonObject }[];
  readonly messages: readonly { readonly content: readonly { readonly input: JsonObject }[] }[];
}

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',');
}

function items(count: number): string {
  return '0,'.repeat(count - 1).concat('0');
}

describe('a body', () => {
  it.each([
    ['JSON', '{"a":[1]}', { a: [1] }],
    ['JSON after a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['64 levels', `{"a":${nested(63)}}`, expect.anything()],
    ['32,768 keys', `{${keys(32_768)}}`, expect.anything()],
    ['as many keys and list items as are allowed', `{${keys(32_767)},"a":[${items(131_072)}]}`, expect.anything()],
    ['131,072 items in lists', `{"a":[[],${items(131_071)}]}`, expect.anything()],
  ])('is parsed when it is %s', (_, text, value) => {
    expect(parseJsonBody(Buffer.from(text)).value).toEqual(value);
  });

  it.each([
    ['a schema', '{"tools":[{"input_schema":%}]}', (body: Body) => body.tools[0]?.input_schema],
    ['arguments', '{"temperature":1.0,"messages":[{"content":[{"input":%}]}]}', (body: Body) => body.messages[0]?.content[0]?.input],
  ] as const)('keeps %s as it was written', (_, text, find) => {
    const written = '{ "2": 1.0, "1": 12345678901234567890 }';
    expect(jsonDocument(find(parseJsonBody(Buffer.from(text.replace('%', written))).value as Body) ?? {}).text).toBe(written);
  });

  it.each([
    ['is empty', Buffer.alloc(0), /empty/],
    ['is cut short', Buffer.from('{"a":'), /not valid JSON/],
    ['is only white space', Buffer.from('  '), /not valid JSON/],
    ['has an invalid byte', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['has a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /UTF-8/],
    ['has an overlong character', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /UTF-8/],
    ['has 32,769 keys', Buffer.from(`{"tools":[{${keys(32_768)}}]}`), /more than 32768 keys/],
    ['has 131,073 items in lists', Buffer.from(`{"a":[[${items(131_072)}]]}`), /more than 131072 items/],
    ['is no JSON and has a million numbers', Buffer.from('1 '.repeat(1_000_000)), /not valid JSON, or/],
    ['nests 65 levels', Buffer.from(`{"a":${nested(64)}}`), /64 levels/],
    ['nests 100,000 levels', Buffer.from(nested(100_000)), /64 levels/],
    ['opens 2,000,000 levels', Buffer.from('['.repeat(2_000_000)), /64 levels/],
  ])('that %s is refused', (_, bytes, message) => {
    expect(() => parseJsonBody(bytes)).toThrow(expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }));
  });

  it('that repeats the tools of an earlier body has all keys of these tools counted again', () => {
    const body = (more: number): Buffer => Buffer.from(`{"tools":[{${keys(20_000)}}],"a":{${keys(more)}}}`);
    for (let times = 0; times < 3; times += 1) parseJsonBody(body(12_766));
    expect(() => parseJsonBody(body(12_767))).toThrow(expect.objectContaining({ code: 'invalid_request', param: null }));
  });

  it('that is invalid is refused with a message that does not contain the client’s text', () => {
    expect(() => parseJsonBody(Buffer.from('{"secret'))).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
  });
});

describe('the messages of a body', () => {
  const LIST = '[{ "a":"\\u0061" } ,{"b":[{}]}]';
  const ITEMS = [{ a: 'a' }, { b: [{}] }];
  const FILLING = 'x'.repeat(1_024);
  const printed = (text: string): string => textOfPieces(printerFor(parseJsonBody(Buffer.from(text)).source).items.print(ITEMS));

  it.each([
    ['ASCII', `{"filling":"${FILLING}","messages":${LIST}}`],
    ['other text', `{"filling":"${FILLING}é","messages":${LIST}}`],
    ['ASCII behind a byte order mark', `\uFEFF{"messages": ${LIST},"filling":"${FILLING}"}`],
    ['tools after the messages', `{"messages": ${LIST},"tools":[{"messages":[{"c":"${FILLING}"}]}]}`],
    ['tools before the messages', `{"tools":[{"messages":[{"c":"${FILLING}"}]}],"messages":${LIST}}`],
    ['numbers that are kept as they were written', `{"messages":${LIST},"tools":[{"parameters":{"c":1.0,"d":"${FILLING}"}}]}`],
  ])('are copied verbatim in a body of %s', (_what, text) => {
    for (let times = 0; times < 3; times += 1) expect(printed(text)).toBe(LIST);
  });

  it.each([
    ['is so short that copying would take longer', `{"messages":${LIST}}`],
    ['has a list of messages twice', `{"messages":${LIST},"messages":[{"a":"a"},{"b":[{}]}],"filling":"${FILLING}"}`],
    ['may have a list of messages twice, since a name is escaped', `{"messages":${LIST},"m\\u0065ssages":[],"filling":"${FILLING}"}`],
    ['has something else among the messages', `{"messages":[1,${LIST.slice(1)},"filling":"${FILLING}"}`],
    ['has messages that are no list', `{"messages":{"a":${LIST}},"filling":"${FILLING}"}`],
    ['has its messages inside another object', `{"a":{"messages":${LIST}},"filling":"${FILLING}"}`],
  ])('are reprinted if the body %s', (_why, text) => {
    expect(printed(text)).toBe(JSON.stringify(ITEMS));
  });
});
