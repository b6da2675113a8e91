import { describe, expect, it } from '@jest/globals';
import { textOfPieces } from '@tollgate/testkit';
import { WrittenItems } from './written-items.js';
import { WrittenTexts } from './written-texts.js';
import { keepWriting, passWriting, takePrinters, type Writing } from './writing.js';

const ITEM = '{ "a" : "\\u0061" }';
const SOURCE = `[${ITEM}]`;
const LITERAL = `"${'a\\/b '.repeat(200)}"`;
const ITEMS = [{ a: 'a' }];
const TEXT = JSON.parse(LITERAL) as string;

function writing(): Writing {
  const texts = new WrittenTexts((from, to) => LITERAL.slice(from, to));
  texts.note(0, LITERAL.length - 1);
  return { texts, items: new WrittenItems(ITEMS, [{ start: 1, end: ITEM.length + 1, keys: 1 }], (from, to) => SOURCE.slice(from, to)) };
}

function made(): object {
  const body = {};
  keepWriting(body, writing());
  return passWriting(body, {});
}

const printed = (value: object): readonly string[] => {
  const { texts, items } = takePrinters(value);
  return [texts.print(TEXT), textOfPieces(items.print(ITEMS))];
};
const PRINTED_ANEW = [JSON.stringify(TEXT), JSON.stringify(ITEMS)];

describe('how a value was written', () => {
  it('is known of what was made of a body', () => {
    expect(printed(made())).toEqual([LITERAL, SOURCE]);
  });

  it('is given up once it was used, since it takes as much memory as the body', () => {
    const subject = made();
    takePrinters(subject);
    expect(printed(subject)).toEqual(PRINTED_ANEW);
  });

  it('is not known of a body any more once something was made of it: a map that holds on to new values makes the garbage collector copy them', () => {
    const body = {};
    keepWriting(body, writing());
    passWriting(body, {});
    expect(printed(body)).toEqual(PRINTED_ANEW);
  });

  it('is not known of anything else', () => {
    expect(printed({})).toEqual(PRINTED_ANEW);
    expect(printed(passWriting('text', {}))).toEqual(PRINTED_ANEW);
  });
});
