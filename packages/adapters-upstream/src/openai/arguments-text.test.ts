import { describe, expect, it } from '@jest/globals';
import { ArgumentsText } from './arguments-text.js';

describe('the arguments of a call', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['fragments that follow each other, as they arrive', ['{', '"a":"b', 'c"}'], ['{', '"a":"b', 'c"}', '']],
    ['fragments that repeat the earlier ones, at the end', ['{"a"', '{"a":1}', '{"a":1}'], ['{"a"', '', '', ':1}']],
    ['a value that contains the beginning of the arguments, as soon as that is certain', ['{"a":', '{"a":', '1', '}}'], ['{"a":', '', '{"a":1', '}}', '']],
    ['a last fragment that repeats the beginning, at the end', ['{"a":', '{"a":1}}'], ['{"a":', '', '{"a":1}}']],
  ])('yield %s', (_name, ...[fragments, given]) => {
    const text = new ArgumentsText();
    expect([...fragments.map((fragment) => text.add(fragment)), text.finish()]).toEqual(given);
  });
});
