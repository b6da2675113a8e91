import { describe, expect, it } from '@jest/globals';
import { textOfPieces } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { ItemPrinter, JsonSource, printerFor, WrittenItems, writtenListOf } from './written-items.js';
import { TextPrinter, WrittenTexts } from './written-texts.js';
import type { JsonObject } from './json-text.js';
import { FieldSearch, surveyJson } from './survey.js';

const ITEM = '{ "a" : "\\u0061" }';
const SOURCE = `[${ITEM}]`;
const LITERAL = `"${'a\\/b '.repeat(200)}"`;
const ITEMS = [{ a: 'a' }];
const TEXT = JSON.parse(LITERAL) as string;
const PRINTED = [JSON.stringify(TEXT), JSON.stringify(ITEMS)];

function aSource(): JsonSource {
  const texts = new WrittenTexts((from, to) => LITERAL.slice(from, to));
  texts.note(0, LITERAL.length - 1);
  return new JsonSource({ texts, items: new WrittenItems(ITEMS, [{ start: 1, end: ITEM.length + 1, keys: 1 }], (from, to) => SOURCE.slice(from, to)), list: () => Buffer.from(SOURCE) });
}

function printedFrom(source: { readonly language: 'json' } | null): readonly string[] {
  const { texts, items } = printerFor(source);
  return [texts.print(TEXT), textOfPieces(items.print(ITEMS))];
}

describe('a printer', () => {
  it('copies what its source contains', () => {
    expect(printedFrom(aSource())).toEqual([LITERAL, SOURCE]);
  });

  it('releases the memory of its source, so that a second printer for the source copies nothing', () => {
    const source = aSource();
    printerFor(source);
    expect(printedFrom(source)).toEqual(PRINTED);
  });

  it('releases the text of the list, which can be read only until the printer is created', () => {
    const source = aSource();
    expect(writtenListOf(source)).toEqual(Buffer.from(SOURCE));
    printerFor(source);
    expect([writtenListOf(source), writtenListOf(null)]).toEqual([null, null]);
  });

  it.each([['without a source', null], ['for a source that another parser made', { language: 'json' } as const]])('serializes every value %s', (_which, source) => {
    expect(printedFrom(source)).toEqual(PRINTED);
  });
});

const MOST = 30;

/** Members of the field `list`; `written` is `null` if it is uncertain where in the text they are. */
function itemsOf(text: string): { readonly values: readonly JsonObject[]; readonly written: WrittenItems | null } {
  const search = new FieldSearch('list', { maximumPlaces: MOST });
  surveyJson(text, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 4, searches: [search], texts: null });
  const { list: values } = JSON.parse(text) as { readonly list: readonly JsonObject[] };
  const places = search.placesOf(values.length);
  return { values, written: places === null ? null : new WrittenItems(values, places, (from, to) => text.slice(from, to)) };
}

const print = (text: string, items: readonly JsonObject[]): string => textOfPieces(new ItemPrinter(itemsOf(text).written, new TextPrinter(null)).print(items));

const A = '{ "say" : "\\u0061" }';
const B = '{"do":[ 1.0 , {"x":null} ],"say":"b"}';
const C = '{"say":"c"}';
const listed = (count: number, text: string): string => Array.from({ length: count }, () => text).join(',');
const many = (count: number, item: JsonObject): readonly JsonObject[] => Array.from({ length: count }, () => item);
const [a, b, c] = [{ say: 'a' }, { say: 'b', do: [1, { x: null }] }, { say: 'c' }];

describe('objects of a list that is printed', () => {
  it.each<[string, string, readonly JsonObject[], string]>([
    ['all, with the text between them', `{"list":[${A} ,\n${B},${C}]}`, [a, b, c], `[${A} ,\n${B},${C}]`],
    ['all but the first', `{"list":[${A}, ${B}, ${C}]}`, [b, c], `[${B}, ${C}]`],
    ['all but the last', `{"list":[${A}, ${B}, ${C}]}`, [a, b], `[${A}, ${B}]`],
    ['those around another object', `{"list":[${A}, ${B}, ${C}]}`, [a, { say: 'x' }, c], `[${A},{"say":"x"},${C}]`],
    ['those around one that is not printed', `{"list":[${A}, ${B}, ${C}]}`, [a, c], `[${A},${C}]`],
    ['those of the list, but not of other fields', `{"other":[${A}],"list":[${B}],"last":{"say":${C}}}`, [b], `[${B}]`],
    ['one that the text contains twice, both times', `{"list":[${A}, ${A}]}`, [a, a], `[${A}, ${A}]`],
    ['one after many that have changed', `{"list":[${listed(9, '{"say":"x","more":1}')},${A},${C}]}`, [...many(9, { say: 'x' }), a, c], `[${listed(9, '{"say":"x"}')},${A},${C}]`],
    ['one after many that are not printed', `{"list":[${listed(15, C)},${A}]}`, [a], `[${A}]`],
    ['those after many that became one object', `{"list":[${listed(10, C)},${A}, ${B}]}`, [{ say: 'x' }, a, b], `[{"say":"x"},${A}, ${B}]`],
    ['those after many that became one object, twice', `{"list":[${listed(10, C)},${A},${listed(10, C)},${B}]}`, [{ say: 'x' }, a, { say: 'y' }, b], `[{"say":"x"},${A},{"say":"y"},${B}]`],
    ['those after many that became a few objects', `{"list":[${listed(10, C)},${A},${B}]}`, [...many(3, { say: 'x' }), a, b], `[${listed(3, '{"say":"x"}')},${A},${B}]`],
    ['one that is printed after many new objects', `{"list":[${A},${listed(6, C)}]}`, [...many(7, { say: 'x' }), a], `[${listed(7, '{"say":"x"}')},${A}]`],
    ['those around new objects', `{"list":[${A},${B},${C}]}`, [a, { say: 'x' }, { say: 'y' }, b, c], `[${A},{"say":"x"},{"say":"y"},${B},${C}]`],
    ['as many as are recorded', `{"list":[${listed(MOST, A)}]}`, many(MOST, a), `[${listed(MOST, A)}]`],
  ])('are copied from the text: %s', (_which, text, items, printed) => {
    expect(print(text, items)).toBe(printed);
  });

  it.each<[string, string, readonly JsonObject[]]>([
    ['has a further key', '{"list":[{"say":"a","more":1}]}', [a]],
    ['lacks a key', '{"list":[{"say":"a"}]}', [{ say: 'a', more: 1 }]],
    ['has another key', '{"list":[{"said":"a"}]}', [a]],
    ['has one key twice instead of two keys, one of which every object inherits', '{"list":[{"say":"x","say":"a"}]}', [JSON.parse('{"say":"a","__proto__":{}}') as JsonObject]],
    ['has a list instead of an object', '{"list":[{"say":["a"]}]}', [{ say: { 0: 'a' } }]],
    ['has a list twice instead of an object', '{"list":[{"say":["x"],"say":["a"]}]}', [{ say: { 0: 'a' } }]],
    ['has an object instead of a list', '{"list":[{"say":{"0":"a"}}]}', [{ say: ['a'] }]],
    ['has a longer list', '{"list":[{"say":["a","b"]}]}', [{ say: ['a'] }]],
    ['has null instead of an object', '{"list":[{"say":null}]}', [{ say: {} }]],
    ['has an object instead of null', '{"list":[{"say":{}}]}', [{ say: null }]],
    ['has a key twice, and the last value is the same', '{"list":[{"say":"x","say":"a"}]}', [a]],
    ['has a nested key twice', '{"list":[{"say":{"x":1,"x":2}}]}', [{ say: { x: 2 } }]],
    ['is in a list whose field occurs twice', `{"list":[{"say":"x"}],"list":[${A}]}`, [a]],
    ['is in a list whose field may occur twice', `{"list":[${A}],"l\\u0069s":[]}`, [a]],
    ['is in a list with a number', `{"list":[${A},5,${C}]}`, [a, c]],
    ['is in a list with more members than are recorded', `{"list":[${listed(MOST + 1, A)}]}`, [a]],
    ['is in another field', `{"other":[${A}],"list":[]}`, [a]],
  ])('are never copied from a member that %s', (_which, text, items) => {
    expect(print(text, items)).toBe(JSON.stringify(items));
  });

  it('are each compared with few members of the text, however many are not found', () => {
    const { written } = itemsOf(`{"list":[${listed(MOST, A)}]}`);
    let looks = 0;
    const counted = new Proxy(written as WrittenItems, {
      get: (target, name) => {
        if (name === 'says') looks += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    new ItemPrinter(counted, new TextPrinter(null)).print(many(MOST, { say: 'x' }));
    expect(looks).toBeLessThan(MOST * 20);
  });

  it('have their long texts copied, even after many objects that were copied as a whole', () => {
    const long = (name: string): string => `"${name} ${'\\/'.repeat(600)}"`;
    const members = Array.from({ length: 12 }, (_none, index) => `{"say":${long(`text ${index}`)}}`);
    const source = `{"list":[${members.join(', ')}]}`;
    const { values, written } = itemsOf(source);
    const texts = new WrittenTexts((from, to) => source.slice(from, to));
    surveyJson(source, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 4, searches: [], texts });
    const items = values.map((item, index) => (index === 10 ? { ...item, more: 1 } : item));
    const printed = textOfPieces(new ItemPrinter(written, new TextPrinter(texts)).print(items));
    expect(printed).toBe(`[${members.slice(0, 10).join(', ')},{"say":${long('text 10')},"more":1},${members[11] ?? ''}]`);
  });

  it('are compared and printed without undefined members', () => {
    expect(print(`{"list":[${A}]}`, [{ ...a, none: undefined }, { x: undefined, y: 1 }])).toBe(`[${A},{"y":1}]`);
    const { written } = itemsOf(`{"list":[${A}]}`);
    expect(textOfPieces(new ItemPrinter(written, new TextPrinter(new WrittenTexts(() => ''))).print([{ x: undefined, y: 1 }]))).toBe('[{"y":1}]');
  });

  it('keep their meaning, whatever their text was and whichever of them are printed', () => {
    const leaf = fc.oneof(fc.string(), fc.constantFrom('a', 'b', '"', '\\', '{', ':', 'é'), fc.integer(), fc.boolean(), fc.constant(null));
    const name = fc.constantFrom('say', 'do', 'list', '', 'a:b', '"', '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf.map((each) => JSON.stringify(each)), tie('object'), tie('array')),
      object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => `{ ${members.map(([key, text]) => `${JSON.stringify(key)}: ${String(text)}`).join(', ')}}`),
      array: fc.array(tie('value'), { maxLength: 3 }).map((members) => `[${members.join(' ,')}]`),
    }));
    const field = fc.tuple(fc.constantFrom('list', 'other', 'l\\u0069st'), fc.array(value, { maxLength: 6 }).map((members) => `[${members.join(' ,')}]`));
    fc.assert(fc.property(fc.array(field, { minLength: 1, maxLength: 3 }), fc.func(fc.nat(3)), (fields, choice) => {
      const text = `{${[['list', '[]'], ...fields].map(([key, list]) => `"${key ?? ''}":${list ?? ''}`).join(',')}}`;
      const { values } = itemsOf(text);
      const items = values.filter((each) => typeof each === 'object' && each !== null).flatMap((each) => [[], [each], [each, { more: 1 }], [{ ...each, say: 'x' }]][choice(each)] ?? []);
      expect(JSON.parse(print(text, items))).toEqual(JSON.parse(JSON.stringify(items)));
    }), { seed: 29, numRuns: 1_000 });
  });
});
