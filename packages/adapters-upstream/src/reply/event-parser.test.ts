import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EventParser } from './event-parser.js';
import { parseObject } from './json-values.js';

function eventOf(literal: string, created = 1): string {
  return `{"id":"r","created":${created},"choices":[{"index":0,"delta":{"content":${literal}},"finish_reason":null}]}`;
}

function eventsOf(...literals: readonly string[]): readonly string[] {
  return literals.map((literal) => eventOf(`"${literal}"`));
}

/** Parses events; returns all objects, and the number of events that were parsed as a whole. */
function parseAll(events: readonly string[]): { readonly objects: readonly unknown[]; readonly parsed: number } {
  let parsed = 0;
  const parser = new EventParser((json) => {
    if (events.includes(json)) parsed += 1;
    return parseObject(json);
  });
  return { objects: events.map((event) => parser.parse(event)), parsed };
}

describe('EventParser', () => {
  it.each<[string, readonly string[]]>([
    ['differ in one string', eventsOf('a', 'bc', '', '漢😀', 'a')],
    ['have escapes in the string', eventsOf('a', 'b', String.raw`\n`, String.raw`\"`, String.raw`\u0041`, 'c')],
    ['have JSON in the string', eventsOf('a', 'b', '{}', '],', ':', 'null')],
    ['have a control character in the string, and are no JSON', eventsOf('a', 'b', 'c\td', 'e')],
    ['end the string early', eventsOf('a', 'b', 'c"d', 'c","f":"g', 'h')],
    ['have another value in place of the string', [...eventsOf('a', 'b'), eventOf('null'), eventOf('1'), eventOf('["c"]'), eventOf('"d"')]],
    ['differ in a number', [1, 2, 3, 4].map((created) => eventOf('"a"', created))],
    ['differ in a key', ['{"a":1}', '{"b":1}', '{"c":1}']],
    ['repeat the key of the string', ['{"a":"x","a":"z"}', '{"a":"y","a":"z"}', '{"a":"w","a":"z"}']],
    ['repeat the key of the string before it', ['{"a":"z","a":"x"}', '{"a":"z","a":"y"}', '{"a":"z","a":"w"}']],
    ['differ in two strings', ['{"a":"x","b":"x"}', '{"a":"y","b":"y"}', '{"a":"z","b":"z"}']],
    ['have a key named __proto__', ['{"__proto__":"x"}', '{"__proto__":"y"}', '{"__proto__":"z"}', '{"a":{"__proto__":"x"},"b":"y"}', '{"a":{"__proto__":"x"},"b":"z"}', '{"a":{"__proto__":"x"},"b":"w"}']],
    ['are shorter than what the others share', ['{"a":"xx"}', '{"a":"xy"}', '{"a":"x"}', '{"a":"}', '{"a":""}']],
    ['are no objects', ['"a"', '"b"', '"c"', '["x"]', '["y"]', '["z"]', 'null', '']],
  ])('yields the parsed values for events that %s', (_name, events) => {
    const { objects } = parseAll(events);
    expect(objects).toEqual(events.map((event) => parseObject(event)));
    expect(objects.map((object) => JSON.stringify(object))).toEqual(events.map((event) => JSON.stringify(parseObject(event))));
  });

  it('yields the same values as a full parser for any events', () => {
    const unit = fc.constantFrom('a', 'x', '"', '\\', '\t', 'é', '😀', ',', ':', '{', '}', '__proto__');
    const text = fc.string({ unit, maxLength: 6 });
    const event = fc.oneof(
      { weight: 6, arbitrary: text.map((words) => eventOf(JSON.stringify(words))) },
      { weight: 2, arbitrary: text.map((words) => JSON.stringify({ a: words, [words]: 'b', choices: [words] })) },
      { weight: 1, arbitrary: text.map((words) => eventOf(`"${words}"`)) },
      { weight: 1, arbitrary: fc.json() },
    );
    fc.assert(fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      expect(parseAll(events).objects).toEqual(events.map((json) => parseObject(json)));
    }), { numRuns: 1_000 });
  });

  it('parses in full only two of a hundred events that differ in one string without escapes', () => {
    const pieces = Array.from({ length: 100 }, (_none, position) => `piece ${position}`);
    expect(parseAll(eventsOf(...pieces)).parsed).toBe(2);
  });

  it('parses in full, of a hundred events that differ in one string, the first two and those whose string has an escape', () => {
    const pieces = Array.from({ length: 100 }, (_none, position) => (position % 4 === 3 ? String.raw`\n` : `piece ${position}`));
    expect(parseAll(['{"role":"assistant"}', ...eventsOf(...pieces)]).parsed).toBe(1 + 2 + 25);
  });

  it('recognises the new form of events when a reply changes from reasoning to text', () => {
    const thoughts = Array.from({ length: 60 }, (_none, position) => `{"reasoning":"${position % 3 === 2 ? String.raw`\n` : position}"}`);
    const pieces = Array.from({ length: 60 }, (_none, position) => `piece ${position}`);
    expect(parseAll([...thoughts, ...eventsOf(...pieces)]).parsed).toBe(2 + 20 + 2);
  });

  it('yields a new object for each event', () => {
    const { objects } = parseAll(eventsOf('a', 'b', 'c', 'd'));
    expect(objects.map((object) => JSON.stringify(object))).toEqual(eventsOf('a', 'b', 'c', 'd'));
  });

  it('parses long events in full, and those of a server that writes each event differently', () => {
    const changing = Array.from({ length: 50 }, (_none, position) => eventOf('"a"', position));
    expect(parseAll(changing).parsed).toBe(50);
    const long = Array.from({ length: 5 }, (_none, position) => eventOf(`"${'x'.repeat(5_000)}${position}"`));
    expect(parseAll(long).parsed).toBe(5);
  });
});
