import { describe, expect, it } from '@jest/globals';
import { ArgumentsText } from './arguments-text.js';

describe('the arguments of a call', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['what grows, as it comes', ['{', '"a":"b', 'c"}'], ['{', '"a":"b', 'c"}', '']],
    ['what is repeated, at the end', ['{"a"', '{"a":1}', '{"a":1}'], ['{"a"', '', '', ':1}']],
    ['what holds its own beginning, as soon as that is certain', ['{"a":', '{"a":', '1', '}}'], ['{"a":', '', '{"a":1', '}}', '']],
    ['what begins like the whole only once, at the end', ['{"a":', '{"a":1}}'], ['{"a":', '', '{"a":1}}']],
  ])('yield %s', (_name, ...[fragments, given]) => {
    const text = new ArgumentsText();
    expect([...fragments.map((fragment) => text.add(fragment)), text.finish()]).toEqual(given);
  });
});
