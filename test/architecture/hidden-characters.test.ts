import { expect, test } from '@jest/globals';
import { printable } from '@tollgate/core';
import { shown } from '../../apps/dashboard/src/format/shown.js';

const LAST_CODE_POINT = 0x10ffff;
/** Time limit for a busy machine. */
const MILLISECONDS = 60_000;
const SURROGATES = { first: 0xd800, last: 0xdfff };
/** White space that terminals escape and pages show as it is. */
const WHITE_SPACE = '\t\n\r';

/** All characters except surrogates. */
function* characters(): Generator<string> {
  for (let point = 0; point <= LAST_CODE_POINT; point += 1) {
    if (point < SURROGATES.first || point > SURROGATES.last) yield String.fromCodePoint(point);
  }
}

/** The escaping of hidden characters exists twice, because the dashboard does not bundle the core. */
test.each([['alone', ''], ['between letters', 'a'], ['between emoji', '\u{1f600}']])('pages and terminals escape the same hidden characters if each stands %s', (_where, beside) => {
  const differing: string[] = [];
  for (const character of characters()) {
    const text = `${beside}${character}${beside}`;
    const onPage = shown(text).includes('\\u');
    const inTerminal = printable(text).includes('\\u') && !WHITE_SPACE.includes(character);
    if (onPage !== inTerminal) differing.push((character.codePointAt(0) ?? 0).toString(16));
  }
  expect(differing).toEqual([]);
}, MILLISECONDS);
