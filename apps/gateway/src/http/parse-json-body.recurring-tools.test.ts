import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseJsonBody } from './parse-json-body.js';

const TOOLS = JSON.stringify(Array.from({ length: 12 }, (_none, index) => ({
  type: 'function', function: { name: `tool_${index}`, description: 'what "tools":[] are, {and} [more] \\ '.repeat(4), parameters: { type: 'object', minimum: index } },
})));
const parse = (text: string): unknown => parseJsonBody(Buffer.from(text)).value;
const toolsOf = (text: string): unknown => (parse(text) as { readonly tools: unknown }).tools;

function parseTwice(text: string): void {
  parse(text);
  parse(text);
}

describe('tools of an earlier request', () => {
  it('are parsed to the same object when they are sent again', () => {
    parseTwice(`{"tools":${TOOLS}}`);
    expect(toolsOf(`{"messages":[],"tools": ${TOOLS} ,"n":1}`)).toBe(toolsOf(`{"tools":${TOOLS}}`));
  });

  it.each([
    ['among other fields', `{"a":[{"b":"]"}],"tools":${TOOLS},"c":{"tools":[1]},"d":"\\"tools\\":"}`],
    ['under white space', ` {\n "tools" :\t${TOOLS}\n} `],
    ['under the same name in another object', `{"a":{"tools":${TOOLS}},"b":[{"tools":${TOOLS}}],"tools":[1]}`],
    ['as a part of a longer list', `{"tools":[${TOOLS},1]}`],
    ['before other tools', `{"tools":${TOOLS},"tools":[{"a":1}]}`],
    ['after other tools', `{"tools":[{"a":1}],"tools":${TOOLS}}`],
    ['before other tools, whose name is written with an escape', `{"tools":${TOOLS},"to\\u006fls":[{"a":1}]}`],
    ['after other tools, whose name is written with an escape', `{"to\\u006fls":[{"a":1}],"tools":${TOOLS}}`],
    ['after no tools', `{"tools":null,"tools":${TOOLS},"a":[]}`],
    ['before no tools', `{"tools":${TOOLS},"a":[],"tools":0}`],
    ['beside a field whose name ends like theirs', `{"\\"tools":${TOOLS}}`],
    ['where tools are no list', `{"tools":{"tools":${TOOLS}}}`],
    ['in a text', JSON.stringify({ tools: TOOLS })],
    ['cut short', `{"tools":${TOOLS.slice(0, -1)},{"a":"${'b'.repeat(2_000)}"}]}`],
  ])('do not change the parsed value of a body %s', (_where, text) => {
    parseTwice(`{"tools":${TOOLS}}`);
    for (let times = 0; times < 3; times += 1) expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('do not change the parsed value of a body with numbers that are kept as written', () => {
    parseTwice(`{"tools":${TOOLS}}`);
    const text = `{"tools":${TOOLS},"messages":[{"content":[{"input":{"a":1.0}}]}]}`;
    for (let times = 0; times < 3; times += 1) {
      expect(parse(text)).toEqual({ tools: JSON.parse(TOOLS), messages: [{ content: [{ input: { value: { a: 1 }, text: '{"a":1.0}' } }] }] });
    }
  });

  it.each([
    ['nothing after them', `{"tools":${TOOLS}`], ['another bracket', `{"tools":${TOOLS}]}`], ['no colon', `{"tools"${TOOLS}}`],
    ['a digit', `{"tools":${TOOLS}0}`], ['a fraction', `{"tools":${TOOLS}.5}`], ['an exponent', `{"tools":${TOOLS}e5}`], ['a digit before them', `{"tools":1${TOOLS}}`], ['a list around them', `["tools":${TOOLS}]`], ['a control character', `{"tools":\u0001${TOOLS}}`],
  ])('do not make a body valid that has %s', (_what, text) => {
    parseTwice(`{"tools":${TOOLS}}`);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/not valid JSON/) }));
  });

  it('never change the parsed value of a body, which equals that of JSON.parse', () => {
    parseTwice(`{"tools":${TOOLS}}`);
    const key = fc.constantFrom('"tools"', '"a"', '"t\\u006fols"', '"messages"', '"1"');
    const value = fc.oneof(fc.constantFrom(TOOLS, '[]', '{"tools":[1]}', `[${TOOLS}]`), fc.json({ maxDepth: 2 }));
    fc.assert(fc.property(fc.array(fc.tuple(key, value), { maxLength: 5 }), fc.string(), (fields, filling) => {
      const text = `{${fields.map(([name, written]) => `${name}:${written}`).join(',')}${fields.length === 0 ? '' : ','}"filling":${JSON.stringify(filling.padEnd(1_024))}}`;
      expect(parse(text)).toEqual(JSON.parse(Buffer.from(text).toString()));
    }), { seed: 41, numRuns: 500 });
  });
});
