import { describe, expect, it } from '@jest/globals';
import { argumentsObject } from './arguments-object.js';
import { JsonPieces, PieceJoiner } from './json-pieces.js';
import { JsonText } from './json-text.js';
import { printBytes, printList, printObject, printObjectInPieces } from './print.js';

describe('printing JSON', () => {
  it('copies ready JSON texts verbatim into objects and lists', () => {
    const text = new JsonText('{"b": 1.0}');
    expect(printObject({ a: text, 'q"': ['x', null], none: undefined, n: 1 }).text).toBe('{"a":{"b": 1.0},"q\\"":["x",null],"n":1}');
    expect(printList([text, 'x', printList([])]).text).toBe('[{"b": 1.0},"x",[]]');
    expect(printObject({ n: 1, none: undefined, m: [], a: text, b: text, other: undefined, z: null, y: 'y' }).text).toBe('{"n":1,"m":[],"a":{"b": 1.0},"b":{"b": 1.0},"z":null,"y":"y"}');
    expect(Buffer.from(printBytes(['é', { a: null }])).toString()).toBe('["é",{"a":null}]');
    expect([printObject({}).text, printObject({ none: undefined }).text]).toEqual(['{}', '{}']);
  });
});

describe('tool arguments', () => {
  it.each([
    ['', '{}'], [' \n\t', '{}'], ['{}', '{}'], ['{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}'], ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"2":1.0,\n"1":12345678901234567890}', '{"2":1.0,\n"1":12345678901234567890}'],
    ['{"a":', '{"_raw":"{\\"a\\":"}'], ['[1]', '{"_raw":"[1]"}'], ['null', '{"_raw":"null"}'], ['7', '{"_raw":"7"}'], ['"text"', '{"_raw":"\\"text\\""}'],
  ])('%p become the object %p', (text, object) => {
    expect(argumentsObject(text).text).toBe(object);
  });
});

const BYTES = Uint8Array.of(0x5b, 0x5d);

describe('an object that is printed in pieces', () => {
  it.each([
    ['a field in pieces between others', { 'q"': 1, 'list': new JsonPieces(['[', BYTES, ']']), 'n': null }, ['{"q\\"":1,"list":[', BYTES, '],"n":null}']],
    ['nothing but a field in pieces', { list: new JsonPieces([BYTES]) }, ['{"list":', BYTES, '}']],
    ['no field in pieces', { a: new JsonText('1.0'), none: undefined, b: ['x'] }, ['{"a":1.0,"b":["x"]}']],
    ['nothing', { none: undefined }, ['{}']],
  ])('can have %s', (_what, fields, pieces) => {
    expect(printObjectInPieces(Object.entries(fields)).pieces).toEqual(pieces);
  });
});

it('joined pieces keep their order; consecutive texts are merged into one piece', () => {
  const joiner = new PieceJoiner();
  for (const piece of ['a', '', 'b', BYTES, BYTES, 'c', 'd']) joiner.add(piece);
  expect(joiner.joined().pieces).toEqual(['ab', BYTES, BYTES, 'cd']);
});
