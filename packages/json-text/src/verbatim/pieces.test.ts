import { describe, expect, it } from '@jest/globals';
import { JsonText } from '../exact/print.js';
import { JsonPieces, PieceJoiner, printObjectInPieces } from './pieces.js';

const BYTES = Uint8Array.of(0x5b, 0x5d);

describe('an object that is printed in pieces', () => {
  it.each([
    ['a field in pieces between others', { 'q"': 1, 'list': new JsonPieces(['[', BYTES, ']']), 'n': null }, ['{"q\\"":1,"list":[', BYTES, '],"n":null}']],
    ['nothing but a field in pieces', { list: new JsonPieces([BYTES]) }, ['{"list":', BYTES, '}']],
    ['no field in pieces', { a: new JsonText('1.0'), none: undefined, b: ['x'] }, ['{"a":1.0,"b":["x"]}']],
    ['nothing', { none: undefined }, ['{}']],
  ])('has %s', (_what, fields, pieces) => {
    expect(printObjectInPieces(fields).pieces).toEqual(pieces);
  });
});

it('pieces are put together as they come, and characters to as few as can be', () => {
  const joiner = new PieceJoiner();
  for (const piece of ['a', '', 'b', BYTES, BYTES, 'c', 'd']) joiner.add(piece);
  expect(joiner.joined().pieces).toEqual(['ab', BYTES, BYTES, 'cd']);
});
