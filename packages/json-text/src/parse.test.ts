import { describe, expect, it } from '@jest/globals';
import { textOfPieces } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { JsonObject } from './json-text.js';
import { JsonParser, type ParserTerms } from './parse.js';
import { printerFor, writtenListOf } from './written-items.js';

const TERMS: ParserTerms = {
  maximumDepth: 64,
  maximumKeys: 1000,
  maximumItems: 1000,
  exactFields: new Set(),
  exactDepth: 4,
  copiedList: { field: 'messages', maximumMembers: 100 },
  cachedField: 'tools',
  writtenList: { field: 'input', maximumMembers: 100 },
};
const FIELDS = ['messages', 'input'] as const;

/** Makes a text long enough that the parser keeps its source. */
const FILLER = '"filler":"'.padEnd(9_000, '-').concat('"');
/** A long string with unusual escapes. */
const literalOf = (name: string): string => `"${name}${'and \\/ '.repeat(200)}"`;
const textOf = (name: string): string => JSON.parse(literalOf(name)) as string;

/** Parses a request with these list members, and prints the texts. */
function printed(field: string, members: readonly string[], texts: readonly string[]): readonly string[] {
  const { source } = new JsonParser(TERMS).parse(Buffer.from(`{"${field}":[${members.join(',')}],${FILLER}}`));
  const printer = printerFor(source);
  return texts.map((text) => printer.texts.print(text));
}

describe.each(FIELDS)('long texts of the members of "%s"', (field) => {
  const [A, B] = [textOf('A'), textOf('B')];

  it('are printed verbatim in order', () => {
    expect(printed(field, ['A', 'B'].map((name) => `{"text":${literalOf(name)},"n":1}`), [A, B])).toEqual([literalOf('A'), literalOf('B')]);
    expect(printed(field, [`{"parts":[{"text":${literalOf('A')}}]}`], [A])).toEqual([literalOf('A')]);
    expect(printed(field, [`{"a":${literalOf('A')},"b":${literalOf('B')}}`], [A, B])).toEqual([literalOf('A'), literalOf('B')]);
  });

  it.each<[string, readonly string[]]>([
    ['two in one member', [`{"a":${literalOf('A')},"b":${literalOf('B')}}`]],
    ['two under one name', [`{"a":${literalOf('A')},"a":${literalOf('B')}}`]],
    ['two under names that parsing reorders', [`{"2":${literalOf('A')},"1":${literalOf('B')}}`]],
    ['one as a name', [`{${literalOf('A')}:1,"b":${literalOf('B')}}`]],
    ['one beside the list', [`{"a":${literalOf('B')}}],"more":[${literalOf('A')}`]],
  ])('are never confused: %s', (_how, members) => {
    for (const texts of [[A, B], [B, A], [A, A], [B, B], [B, A, B]]) {
      expect(printed(field, members, texts).map((literal) => JSON.parse(literal) as unknown)).toEqual(texts);
    }
  });

  it('keep their meaning in whatever order they are printed', () => {
    const names = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 4 });
    const keys = fc.array(fc.constantFrom('a', 'b', '2', '1'), { minLength: 4, maxLength: 4 });
    const member = fc.tuple(names, keys).map(([written, under]) => `{${written.map((name, index) => `"${under[index] ?? ''}":${literalOf(name)}`).join(',')}}`);
    fc.assert(fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), names, (members, asked) => {
      const texts = asked.map(textOf);
      expect(printed(field, members, texts).map((literal) => JSON.parse(literal) as unknown)).toEqual(texts);
    }), { seed: 41, numRuns: 200 });
  });

  it('are searched only once, however often a text that is not among them is printed', () => {
    const members = [`{"others":[${'1,'.repeat(900)}1],"text":${literalOf('A')}}`];
    const { value, source } = new JsonParser(TERMS).parse(Buffer.from(`{"${field}":[${members.join('')}],${FILLER}}`));
    const [member] = (value as Readonly<Record<string, readonly JsonObject[]>>)[field] ?? [];
    let looks = 0;
    const others = new Proxy((member as { others: number[] }).others, {
      ownKeys: (target) => {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
    Object.assign(member ?? {}, { others });
    const printer = printerFor(source);
    for (let times = 0; times < 50; times += 1) printer.texts.print(B);
    expect(looks).toBe(1);
    expect(printer.texts.print(A)).toBe(literalOf('A'));
  });
});

it('a string is printed as a string even if it equals the text of an object that is forwarded verbatim', () => {
  const exact = `{"1":1.0,${Array.from({ length: 90 }, (_, index) => `"k${index}":"v"`).join(',')}}`;
  const other = `"${'b'.repeat(exact.length)}"`;
  const parser = new JsonParser({ ...TERMS, exactFields: new Set(['arguments']) });
  const { source, value } = parser.parse(Buffer.from(`{"messages":[{"calls":[{"x":{"arguments":${exact}}},{"x":{"command":${other}}}]}],${FILLER}}`));
  expect(JSON.stringify(value)).toContain('"v"');
  expect(JSON.parse(printerFor(source).texts.print(exact))).toBe(exact);
});

it('the long texts in a list are serialized verbatim even if the text of the list itself is not kept', () => {
  const { source } = new JsonParser(TERMS).parse(Buffer.from(`{"input":[{"output":${literalOf('A')}}],${FILLER}}`));
  expect(textOfPieces(printerFor(source).items.print([{ role: 'tool', content: textOf('A') }]))).toBe(`[{"role":"tool","content":${literalOf('A')}}]`);
});

describe('the list whose text the parser keeps', () => {
  const parser = new JsonParser(TERMS);
  const LIST = `[ {"text":"${'and \\/ '.repeat(2_000)}"} ,1.0]`;

  function writtenIn(body: string): Uint8Array | null {
    return writtenListOf(parser.parse(Uint8Array.from(Buffer.from(body))).source);
  }

  it.each([['little else', ''], ['much else', 'x'.repeat(50_000)], ['characters beyond ASCII', 'Grüße 👋']])('is kept verbatim in a text with %s', (_what, other) => {
    const list = LIST.replace('1.0', `1.0,"${other.slice(0, 8)}"`);
    expect(Buffer.from(writtenIn(`{"model":"m","input":${list},"other":"${other}"}`) ?? []).toString()).toBe(list);
  });

  it('keeps only its own bytes in memory if it is a small part of the text', () => {
    const body = `{"model":"m","input":${LIST},"other":"${'x'.repeat(50_000)}"}`;
    expect(writtenIn(body)?.buffer.byteLength).toBe(LIST.length);
    const shared = Buffer.concat([Buffer.from(`{"model":"m","input":${LIST}}`), Buffer.alloc(50_000)]).subarray(0, LIST.length + 22);
    expect(writtenListOf(parser.parse(shared).source)?.buffer.byteLength).toBe(LIST.length);
  });
});

it.each([['short', '""'], ['long', `"${'-'.repeat(9_000)}"`]])('escapes of unpaired surrogates are replaced in a %s text, and those of pairs are kept', (_length, filler) => {
  const { value } = new JsonParser(TERMS).parse(Buffer.from(String.raw`{"lone":"\ud83d!","pair":"\ud83d\ude00","filler":${filler}}`));
  expect(value).toMatchObject({ lone: '\uFFFD!', pair: '😀' });
});
