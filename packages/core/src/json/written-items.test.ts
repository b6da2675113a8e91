import { describe, expect, it } from '@jest/globals';
import { textOfPieces } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { JsonObject } from '../json.js';
import { FieldSearch } from './field-search.js';
import { ItemPlaces } from './item-places.js';
import { surveyJson } from './survey-json.js';
import { ItemPrinter, WrittenItems } from './written-items.js';
import { TextPrinter } from './written-texts.js';

/** The members of the list in the field `list` of a text; `null` when it is not sure that they are those. */
function itemsOf(text: string): { readonly values: readonly JsonObject[]; readonly written: WrittenItems | null } {
  const [search, items] = [new FieldSearch('list', () => null), new ItemPlaces()];
  surveyJson(text, { maximumDepth: 64, watchedDepth: 4, searches: [search], items, texts: null });
  const { list: values } = JSON.parse(text) as { readonly list: readonly JsonObject[] };
  const places = search.found === null ? [] : items.of(search.found);
  const isSure = places.length === values.length;
  return { values, written: isSure ? new WrittenItems(values, places, (from, to) => text.slice(from, to)) : null };
}

const print = (text: string, items: readonly JsonObject[]): string => textOfPieces(new ItemPrinter(itemsOf(text).written, new TextPrinter(null)).print(items));

const A = '{ "say" : "\\u0061" }';
const B = '{"do":[ 1.0 , {"x":null} ],"say":"b"}';
const C = '{"say":"c"}';
const [a, b, c] = [{ say: 'a' }, { say: 'b', do: [1, { x: null }] }, { say: 'c' }];

describe('objects that are printed', () => {
  it.each<[string, string, readonly JsonObject[], string]>([
    ['all of them, with what stands between', `{"list":[${A} ,\n${B},${C}]}`, [a, b, c], `[${A} ,\n${B},${C}]`],
    ['all but the first', `{"list":[${A}, ${B}, ${C}]}`, [b, c], `[${B}, ${C}]`],
    ['all but the last', `{"list":[${A}, ${B}, ${C}]}`, [a, b], `[${A}, ${B}]`],
    ['those around another', `{"list":[${A}, ${B}, ${C}]}`, [a, { say: 'x' }, c], `[${A},{"say":"x"},${C}]`],
    ['those around one that is gone', `{"list":[${A}, ${B}, ${C}]}`, [a, c], `[${A},${C}]`],
    ['what stands beside other lists and objects', `{"other":[${A}],"list":[${B}],"last":{"say":${C}}}`, [b], `[${B}]`],
    ['one each time that it was written', `{"list":[${A},${A}]}`, [a, a, a], `[${A},${A},{"say":"a"}]`],
  ])('are copied: %s', (_which, text, items, printed) => {
    expect(print(text, items)).toBe(printed);
  });

  it.each<[string, string, readonly JsonObject[]]>([
    ['has more to say', '{"list":[{"say":"a","more":1}]}', [a]],
    ['has less to say', '{"list":[{"say":"a"}]}', [{ say: 'a', more: 1 }]],
    ['has another name for it', '{"list":[{"said":"a"}]}', [a]],
    ['has one key twice for two, of which every object has one', '{"list":[{"say":"x","say":"a"}]}', [JSON.parse('{"say":"a","__proto__":{}}') as JsonObject]],
    ['has a list for an object', '{"list":[{"say":["a"]}]}', [{ say: { 0: 'a' } }]],
    ['has a list twice for an object', '{"list":[{"say":["x"],"say":["a"]}]}', [{ say: { 0: 'a' } }]],
    ['has an object for a list', '{"list":[{"say":{"0":"a"}}]}', [{ say: ['a'] }]],
    ['has a longer list', '{"list":[{"say":["a","b"]}]}', [{ say: ['a'] }]],
    ['has null for an object', '{"list":[{"say":null}]}', [{ say: {} }]],
    ['has an object for null', '{"list":[{"say":{}}]}', [{ say: null }]],
    ['says it twice, the second time right', '{"list":[{"say":"x","say":"a"}]}', [a]],
    ['says it twice further in', '{"list":[{"say":{"x":1,"x":2}}]}', [{ say: { x: 2 } }]],
    ['is in a list that stands there twice', `{"list":[{"say":"x"}],"list":[${A}]}`, [a]],
    ['is in a list whose name may stand there twice', `{"list":[${A}],"l\\u0069s":[]}`, [a]],
    ['is beside what is neither object nor list', `{"list":[${A},5,${C}]}`, [a, c]],
    ['comes late', `{"list":[${Array.from({ length: 8 }, () => C).join(',')},${A}]}`, [a]],
  ])('are never taken from what %s', (_which, text, items) => {
    expect(print(text, items)).toBe(JSON.stringify(items));
  });

  it('say the same, however they were written and whichever of them are printed', () => {
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
