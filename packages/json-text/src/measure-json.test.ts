import { describe, expect, it } from '@jest/globals';
import { measureJson } from './measure-json.js';

const BOUNDS = { keys: 4, items: 6, depth: 3 };

describe('the JSON text', () => {
  it.each([
    ['[]', 0, 0], ['{}', 0, 0], ['7', 0, 0], ['[1,"a",null,true,{},[]]', 0, 6], ['{"a":1,"b":{"c":[]},"d":"{[,:"}', 4, 0],
    ['[{"a":[1,2,3]},"\\"[,"]', 1, 5], [' [ [ 1 , 2 ] , [ 3 ] ] ', 0, 5],
  ])('%s is measured by its keys and items', (text, keys, items) => {
    expect(measureJson(text, BOUNDS)).toEqual({ keys, items });
  });

  it.each(['[1,2,3,4,5,6,7]', '{"a":1,"b":2,"c":3,"d":4,"e":5}', '[[],[],[],[],[],[],[]]', '[[[[]]]]', '[{"a":{"b":{}}}]'])('%s exceeds one of the limits', (text) => {
    expect(measureJson(text, BOUNDS)).toBeNull();
  });

  it('is not read any further once it has more tokens than all limits together allow', () => {
    const text = '[],'.repeat(1_000_000);
    const startedAt = performance.now();
    for (let time = 0; time < 1_000; time += 1) expect(measureJson(text, BOUNDS)).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
