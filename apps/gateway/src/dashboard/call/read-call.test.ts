import { expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursors.js';

it('a cursor decodes to what was encoded', () => {
  expect(decodeCursor(encodeCursor([1_795_003_200_000, 'mail_1']), ['number', 'string'])).toEqual([1_795_003_200_000, 'mail_1']);
});

it.each([
  ['no base64url', '%%'], ['no JSON', Buffer.from('{').toString('base64url')], ['another length', encodeCursor([1])], ['another kind', encodeCursor(['1', 'a'])],
  ['a broken number', encodeCursor([1.5, 'a'])], ['a number beyond exact ones', encodeCursor([2 ** 60, 'a'])], ['a text that no database has', encodeCursor([1, 'a\0'])],
])('a cursor with %s is refused, and the refusal names the field', (_what, text) => {
  expect(() => decodeCursor(text, ['number', 'string'])).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'cursor' }));
});
