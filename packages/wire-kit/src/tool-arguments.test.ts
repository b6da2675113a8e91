import { describe, expect, it } from '@jest/globals';
import { parseArguments } from './tool-arguments.js';

describe('tool arguments', () => {
  it.each([
    ['', {}], [' \n\t', {}], ['{}', {}], ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['{"a":', { _raw: '{"a":' }], ['[1]', { _raw: '[1]' }], ['null', { _raw: 'null' }], ['7', { _raw: '7' }], ['"text"', { _raw: '"text"' }],
  ])('%p become an object, whatever the model wrote', (text, input) => {
    expect(parseArguments(text)).toEqual(input);
  });

  it('keep a key that would name a prototype', () => {
    expect(JSON.stringify(parseArguments('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});
