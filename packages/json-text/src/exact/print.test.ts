import { describe, expect, it } from '@jest/globals';
import { JsonText, printList, printObject } from './print.js';

describe('printing JSON', () => {
  it('puts texts into objects and lists as they are', () => {
    const text = new JsonText('{"b": 1.0}');
    expect(printObject({ a: text, 'q"': ['x', null], none: undefined, n: 1 }).text).toBe('{"a":{"b": 1.0},"q\\"":["x",null],"n":1}');
    expect(printList([text, 'x', printList([])]).text).toBe('[{"b": 1.0},"x",[]]');
    expect(printObject({}).text).toBe('{}');
  });
});
