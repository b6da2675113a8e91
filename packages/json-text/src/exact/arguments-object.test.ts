import { describe, expect, it } from '@jest/globals';
import { argumentsObject } from './print.js';

describe('tool arguments', () => {
  it.each([
    ['', '{}'], [' \n\t', '{}'], ['{}', '{}'], ['{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}'], ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"2":1.0,\n"1":12345678901234567890}', '{"2":1.0,\n"1":12345678901234567890}'],
    ['{"a":', '{"_raw":"{\\"a\\":"}'], ['[1]', '{"_raw":"[1]"}'], ['null', '{"_raw":"null"}'], ['7', '{"_raw":"7"}'], ['"text"', '{"_raw":"\\"text\\""}'],
  ])('%p become the object %p, whatever the model wrote', (text, object) => {
    expect(argumentsObject(text).text).toBe(object);
  });
});
