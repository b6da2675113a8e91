import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FieldSearch, surveyJson } from './survey.js';

const isWithin = (text: string, maximumDepth: number): boolean => surveyJson(text, { maximumDepth, maximumTokens: Infinity, watchedDepth: 0, searches: [], texts: null }).withinDepth;
const printsTheSame = (text: string, watchedDepth = 0): boolean => {
  const survey = surveyJson(text, { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth, searches: [], texts: null });
  return survey.withinDepth && survey.printsTheSame;
};

describe('the depth of JSON', () => {
  it.each([
    ['flat text', '"a"', 0],
    ['brackets side by side', `[${'[],'.repeat(500)}[]]`, 2],
    ['brackets inside a string', `["${'['.repeat(500)}"]`, 1],
    ['an escaped quote before brackets', `["\\"${'['.repeat(500)}"]`, 1],
    ['an escaped backslash at the end of a string', '["\\\\", [[]]]', 3],
    ['many backslashes before a quote that ends the string', `["${'\\'.repeat(10)}", [[]]]`, 3],
    ['many backslashes before an escaped quote', `["${'\\'.repeat(11)}", [[]]]`, 1],
    ['objects and arrays', '{"a":[{"b":[]}]}', 4],
    ['an unterminated string', `["${'['.repeat(500)}`, 1],
    ['a backslash at the end', '["\\', 1],
  ])('is measured exactly in %s', (_, json, depth) => {
    expect(isWithin(json, depth)).toBe(true);
    expect(isWithin(json, depth - 1)).toBe(false);
  });
});

describe('the keys and items of JSON', () => {
  const counted = (text: string): unknown => surveyJson(text, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 0, searches: [], texts: null });

  it.each([
    ['"a"', 0, 0], ['[]', 0, 0], ['[ ]', 0, 0], ['{ }', 0, 0], ['[1]', 0, 1], ['[1, "a,b:c", {}]', 0, 3], ['{"a:b,c":1}', 1, 0],
    ['{"a":[],"b":{"c":[[1,2],[]]}}', 3, 4], ['[{"a":1,"b":[2]},{"c":{}}]', 3, 3],
  ])('are counted correctly in %s', (text, keys, items) => {
    expect(counted(text)).toMatchObject({ keys, items });
  });

  it('are counted correctly for any value', () => {
    const count = (value: unknown): readonly [keys: number, items: number] => {
      if (typeof value !== 'object' || value === null) return [0, 0];
      const members: readonly unknown[] = Object.values(value);
      const own: readonly [number, number] = Array.isArray(value) ? [0, members.length] : [members.length, 0];
      return members.map(count).reduce(([k, i], [keys, items]) => [k + keys, i + items], own);
    };
    fc.assert(fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
      const [keys, items] = count(value);
      expect(counted(JSON.stringify(value, null, indent))).toMatchObject({ keys, items });
    }));
  });

  it('include those of a cached list, whose text is skipped', () => {
    const list = '[{"a":1},[2,3]]';
    const known = { text: list, value: JSON.parse(list) as unknown, keys: 1, items: 4 };
    const text = `{"b":[0],"tools":${list},"c":{}}`;
    const search = new FieldSearch('tools', { recall: () => known });
    const withKnown = surveyJson(text, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 0, searches: [search], texts: null });
    expect(counted(text)).toMatchObject({ keys: 4, items: 5 });
    expect(withKnown).toMatchObject({ keys: 4, items: 5 });
  });
});

describe('the survey', () => {
  it.each([
    '{"a":1,"b":-1,"c":0.5,"d":0.1,"e":9007199254740991,"f":"1.0","g":[true,null]}', '{"a":1e+21}', '{"01":1}', '{"1x":1}', '{"a":"1","b":2}', '["1","2"]',
    '{"99999999999":1}', '{"text":"[1.0, 1e3]"}', '{ "a" : 1 }',
  ])('finds that printing changes no number and no key order of %s', (text) => {
    expect(printsTheSame(text)).toBe(true);
  });

  it.each([
    '{"a":1.0}', '[1e3]', '[1E5]', '{"a":12345678901234567890}', '[9007199254740993]', '[-0]', '[0.10]', '[1e400]', '[3.141592653589793238]',
    '{"2":1,"1":2}', '{"b":1,"1" : 2}', '{"0":1}', '{"a":{"b":[{"c":100.0}]}}',
  ])('finds that printing changes a number or the key order of %s', (text) => {
    expect(printsTheSame(text)).toBe(false);
  });

  it('ignores numbers and keys that are less deep than the watched depth', () => {
    const text = '{"temperature":1.0,"1":0,"tools":[{"schema":{"minimum":2}}]}';
    expect(printsTheSame(text, 2)).toBe(true);
    expect(printsTheSame(text, 1)).toBe(false);
    expect(printsTheSame(text.replace('2}', '2.0}'), 4)).toBe(false);
  });

  it('finds every number and key order that printing changes', () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.constantFrom('1.0', '-0', '1e3', '12345678901234567890', '0.5', '7'));
    const key = fc.oneof(fc.string(), fc.nat().map(String));
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 }, number, fc.string().map((text) => JSON.stringify(text)), fc.array(tie('json')).map((items) => `[${items.join(',')}]`),
        fc.dictionary(key, tie('json')).map((object) => `{${Object.entries(object).toReversed().map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
      ),
    }));
    fc.assert(fc.property(json, (text) => {
      expect(printsTheSame(text) ? JSON.stringify(JSON.parse(text)) : text).toBe(text);
    }), { numRuns: 2_000 });
  });

  it.each([
    ['open brackets', '['.repeat(2_000_000)], ['escaped quotes', `["${'\\"'.repeat(1_000_000)}"]`], ['backslashes', `["${'\\'.repeat(2_000_000)}"]`],
    ['digits', `[${'9'.repeat(2_000_000)}]`], ['numbers', `[${'1,'.repeat(1_000_000)}1]`], ['keys', `{${'"1":1,'.repeat(300_000)}"a":1}`],
  ])('takes less than 2 s of CPU time for 2 MB of %s', (_, text) => {
    const startedAt = process.cpuUsage();
    surveyJson(text, { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: 0, searches: [], texts: null });
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });
});

it('the survey skips cached lists, whatever else it searches', () => {
  const text = '{"list":[1.0],"other":[]}';
  const search = (name: string, known: string | null): FieldSearch => new FieldSearch(name, { recall: () => (known === null ? null : { text: known, value: null, keys: 0, items: 0 }) });
  const survey = (searches: readonly FieldSearch[]) => surveyJson(text, { maximumDepth: 64, maximumTokens: Infinity, watchedDepth: 0, searches, texts: null });
  expect(survey([search('list', null), search('other', null)])).toMatchObject({ printsTheSame: false });
  expect(survey([search('list', '[1.0]'), search('other', null)])).toMatchObject({ printsTheSame: true });
  expect(survey([search('other', null), search('list', '[1.0]')])).toMatchObject({ printsTheSame: true });
});
