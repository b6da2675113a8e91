import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from './json-text.js';
import { PieceJoiner } from './json-pieces.js';
import { surveyJson } from './survey.js';
import { TextPrinter, WrittenTexts } from './written-texts.js';

const PROSE = 'What was said, at length. '.repeat(30);
const CODE = 'if (a < "b") {\n\treturn \'\\n\';\n}\n'.repeat(30);
const ESCAPED_SLASHES = `"${'a\\/b '.repeat(200)}"`;

function writtenTextsOf(source: string): WrittenTexts {
  const texts = new WrittenTexts((from, to) => source.slice(from, to));
  surveyJson(source, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 4, searches: [], texts });
  return texts;
}

const printerOf = (source: string): TextPrinter => new TextPrinter(writtenTextsOf(source));

function printedBy(printer: TextPrinter, value: JsonValue): string {
  const joiner = new PieceJoiner();
  printer.printTo(joiner, value);
  return joiner.joined().pieces.join('');
}

describe('a string that is printed', () => {
  it.each([
    ['has escapes that are not needed', ESCAPED_SLASHES],
    ['has no escapes', JSON.stringify(PROSE)],
    ['has escapes', JSON.stringify(CODE)],
    ['begins with an escape', JSON.stringify(`\n${PROSE}`)],
  ])('is copied from the source if it is long and %s', (_how, literal) => {
    expect(printerOf(`{"a":"short","content":${literal}}`).print(JSON.parse(literal) as string)).toBe(literal);
  });

  it.each([
    ['short', '"\\/"'],
    ['written only in escapes', `"${'\\u0061'.repeat(600)}"`],
  ])('is serialized instead of copied if it is %s', (_how, literal) => {
    const text = JSON.parse(literal) as string;
    expect(printerOf(`[${literal}]`).print(text)).toBe(JSON.stringify(text));
  });

  it.each([
    ['a string whose literal contains it', `${PROSE}\n`, `${PROSE}\\n`],
    ['another string of the same length', `${PROSE}a`, `${PROSE}b`],
    ['a string that differs after an escape', `${CODE}a`, `${CODE}b`],
    ['a shorter string', PROSE, `${PROSE}b`],
    ['a longer string', `${PROSE}b`, PROSE],
  ])('is not mistaken for %s in the source', (_what, written, text) => {
    expect(JSON.parse(printerOf(JSON.stringify([written])).print(text))).toBe(text);
    const unescaped = `["${written.replaceAll('\n', ' ').replaceAll(/["\\\t]/g, ' ')}"]`;
    expect(JSON.parse(printerOf(unescaped).print(text))).toBe(text);
  });

  it('is found in the source after strings that are not printed', () => {
    const texts = ['first', 'second', 'third'].map((name) => `"${name} ${'\\/'.repeat(600)}"`);
    const printer = printerOf(`[${texts.join(',')}]`);
    expect(printer.print(JSON.parse(texts[2] ?? '') as string)).toBe(texts[2]);
  });

  it.each([[100_000, 520], [520, 100_000]])('is not compared with literals of %i characters if its own length is %i', (written, characters) => {
    const source = JSON.stringify(Array.from({ length: 8 }, () => 'a'.repeat(written)));
    let cutCharacters = 0;
    const texts = new WrittenTexts((from, to) => {
      cutCharacters += to - from;
      return source.slice(from, to);
    });
    surveyJson(source, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 4, searches: [], texts });
    const printer = new TextPrinter(texts);
    for (let times = 0; times < 100; times += 1) printer.print('b'.repeat(characters));
    expect(cutCharacters).toBe(0);
  });

  it('is copied from the source at any depth of a value; other parts are serialized', () => {
    const value = (literal: string): string => `{"role":"user","a\\"b":[1,null,{"text":${literal},"more":{}}],"say":"short"}`;
    const parsed = JSON.parse(value(ESCAPED_SLASHES)) as JsonObject;
    expect(printedBy(printerOf(`[${ESCAPED_SLASHES}]`), parsed)).toBe(value(ESCAPED_SLASHES));
    expect(printedBy(new TextPrinter(null), parsed)).toBe(JSON.stringify(parsed));
  });

  it('keeps its meaning with any source text, in any order', () => {
    const long = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(PROSE, CODE)).map((text) => `${text}${PROSE}`);
    fc.assert(fc.property(fc.array(long, { maxLength: 12 }), fc.array(long, { maxLength: 4 }), fc.boolean(), (written, others, reversed) => {
      const printer = printerOf(JSON.stringify(written));
      for (const text of [...others, ...(reversed ? written.toReversed() : written)]) expect(JSON.parse(printer.print(text))).toBe(text);
    }), { seed: 23, numRuns: 300 });
  });
});
