import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tollgate/core';
import * as fc from 'fast-check';
import { EventParser } from './event-parser.js';

/** What a parser says of each event, as it stands right then. */
function parse(events: readonly string[]): readonly unknown[] {
  const parser = new EventParser();
  return events.map((event) => structuredClone(parser.parse(event)));
}

function parseOneByOne(events: readonly string[]): readonly unknown[] {
  return events.map((event) => {
    try {
      const value = JSON.parse(event) as JsonValue;
      return typeof value === 'object' && !Array.isArray(value) ? value : null;
    } catch {
      return null;
    }
  });
}

const around = (text: string): string => `{"id":"r","choices":[{"index":0,"delta":{"content":${text}},"finish_reason":null}]}`;
const pieces = (...texts: readonly string[]): readonly string[] => texts.map((text) => around(`"${text}"`));

describe('the parser of events', () => {
  it.each<[string, readonly string[]]>([
    ['differ in one text', pieces(' a', ' b', '', ' 漢😀', 'a much longer piece of text', ' b')],
    ['have texts with escapes', pieces('a', 'b', String.raw`\n`, 'c', String.raw`\"`, String.raw`A`, 'd\\\\', 'e')],
    ['have texts that look like JSON', pieces('a', 'b', '{}', '],', ':', ',', 'null')],
    ['have texts with a control character, which are no JSON', pieces('a', 'b', 'c\td', 'e')],
    ['have a text that ends too early, and are no JSON', pieces('a', 'b', 'c"d', 'e","f":"g')],
    ['have something else where the others have a text', [...pieces('a', 'b', 'c'), around('null'), around('1'), around('["d"]'), ...pieces('e')]],
    ['differ in a number', ['{"a":"x","n":1}', '{"a":"x","n":2}', '{"a":"x","n":3}', '{"a":"x","n":"4"}']],
    ['differ in a name', ['{"a":1}', '{"b":1}', '{"c":1}']],
    ['differ in a text that another of its name hides', ['{"a":"x","a":"z"}', '{"a":"y","a":"z"}', '{"a":"w","a":"z"}']],
    ['differ in two texts', ['{"a":"x","b":"x"}', '{"a":"y","b":"y"}', '{"a":"z","b":"z"}']],
    ['have the same text in two places', ['{"a":"x","b":"x"}', '{"a":"x","b":"y"}', '{"a":"x","b":"z"}']],
    ['have a text with a name of its own in JavaScript', ['{"__proto__":"x"}', '{"__proto__":"y"}', '{"__proto__":"z"}', '{"__proto__":"w"}']],
    ['are the same', ['{"a":"x"}', '{"a":"x"}', '{"a":"x"}']],
    ['are too short for what the others have in common', ['{"a":"xx"}', '{"a":"x"}', '{"a":"}', '{"a":""}', '{"a":"y"}']],
    ['are no objects', ['"a"', '"b"', '"c"', '[]', '["x"]', '["y"]', 'null']],
  ])('reads events that %s as if each were the only one', (_name, events) => {
    expect(parse(events)).toEqual(parseOneByOne(events));
  });

  it('reads any events as if each were the only one', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x', '"', '\\', '\t', 'é', '😀', ',', ':', '{', '}'), maxLength: 6 });
    const raw = fc.string({ unit: fc.constantFrom('a', 'x', '"', '\\', '\t', ',', ':'), maxLength: 3 });
    const event = fc.oneof(
      { weight: 6, arbitrary: text.map((words) => around(JSON.stringify(words))) },
      { weight: 2, arbitrary: text.map((words) => JSON.stringify({ a: words, b: words, choices: [words] })) },
      { weight: 1, arbitrary: raw.map((words) => around(`"${words}"`)) },
      { weight: 1, arbitrary: fc.json() },
    );
    fc.assert(fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      expect(parse(events)).toEqual(parseOneByOne(events));
    }), { numRuns: 2_000 });
  });

  it('gives one object for all events that differ in a text, instead of parsing each', () => {
    const parser = new EventParser();
    const objects = pieces('a', 'b', 'c', String.raw`\n`, 'd').map((event) => parser.parse(event));
    expect(objects[4]).toBe(objects[2]);
    expect(objects[3]).not.toBe(objects[2]);
  });

  it('keeps nothing of events that are long', () => {
    const parser = new EventParser();
    const long = 'x'.repeat(5000);
    const objects = pieces(`${long}a`, `${long}b`, 'c', `${long}d`, `${long}e`).map((event) => parser.parse(event));
    expect(new Set(objects).size).toBe(objects.length);
  });

  it('finds the shape of events again when they change, and gives up on a server whose events have none', () => {
    const parser = new EventParser();
    const later = (created: number, text: string): string => `{"created":${created},"text":"${text}"}`;
    const changing = [1, 1, 1, 2, 2, 2].map((created, position) => parser.parse(later(created, `t${position}`)));
    expect(changing[5]).not.toBe(changing[4]);
    expect(parser.parse(later(2, 'end'))).toBe(changing[5]);
    for (let count = 10; count < 20; count += 1) parser.parse(later(count, 'x'));
    expect(parser.parse(later(20, 'y'))).not.toBe(parser.parse(later(20, 'z')));
    expect(parser.parse(later(20, 'v'))).not.toBe(parser.parse(later(20, 'w')));
  });
});
