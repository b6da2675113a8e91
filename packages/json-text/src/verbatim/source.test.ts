import { describe, expect, it } from '@jest/globals';
import { textOfPieces } from '@tollgate/testkit';
import { JsonSource, printerFor } from './source.js';
import { WrittenItems } from './written-items.js';
import { WrittenTexts } from './written-texts.js';

const ITEM = '{ "a" : "\\u0061" }';
const SOURCE = `[${ITEM}]`;
const LITERAL = `"${'a\\/b '.repeat(200)}"`;
const ITEMS = [{ a: 'a' }];
const TEXT = JSON.parse(LITERAL) as string;
const PRINTED = [JSON.stringify(TEXT), JSON.stringify(ITEMS)];

function aSource(): JsonSource {
  const texts = new WrittenTexts((from, to) => LITERAL.slice(from, to));
  texts.note(0, LITERAL.length - 1);
  return new JsonSource({ texts, items: new WrittenItems(ITEMS, [{ start: 1, end: ITEM.length + 1, keys: 1 }], (from, to) => SOURCE.slice(from, to)) });
}

function printed(source: { readonly language: 'json' } | null): readonly string[] {
  const { texts, items } = printerFor(source);
  return [texts.print(TEXT), textOfPieces(items.print(ITEMS))];
}

describe('a printer', () => {
  it('copies what its source holds', () => {
    expect(printed(aSource())).toEqual([LITERAL, SOURCE]);
  });

  it('takes the writing, which needs as much memory as the text: a second printer copies nothing', () => {
    const source = aSource();
    printerFor(source);
    expect(printed(source)).toEqual(PRINTED);
  });

  it.each([['without a source', null], ['for a source that another parser made', { language: 'json' } as const]])('prints everything %s', (_which, source) => {
    expect(printed(source)).toEqual(PRINTED);
  });
});
