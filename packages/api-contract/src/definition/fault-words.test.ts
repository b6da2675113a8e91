import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { faultWords } from './fault-words.js';
import { instant, label, utcDay } from './field-schemas.js';

const FORM = z.strictObject({
  name: label(5), kind: z.enum(['a', 'b']), count: z.number().int().min(1).max(9), list: z.array(z.string()).min(1).max(2), at: instant, day: utcDay, on: z.boolean(), limit: z.strictObject({}),
});
const VALID = { name: 'x', kind: 'a', count: 1, list: ['a'], at: '2026-11-22T10:00:00Z', day: '2026-11-22', on: true, limit: {} };

it.each([
  [{ name: undefined }, 'is missing'], [{ name: 7 }, 'must be a text'], [{ name: ' ' }, 'must not be empty'], [{ name: 'abcdef' }, 'must have at most 5 characters'],
  [{ kind: 'c' }, 'must be one of a, b'], [{ kind: undefined }, 'is missing'],
  [{ count: '1' }, 'must be a number'], [{ count: 1.5 }, 'must be a whole number'], [{ count: 0 }, 'must be at least 1'], [{ count: 10 }, 'must be at most 9'],
  [{ list: 'a' }, 'must be a list'], [{ list: [] }, 'must not be empty'], [{ list: ['a', 'b', 'c'] }, 'must have at most 2 items'],
  [{ at: 'today' }, 'must be a time by RFC 3339'], [{ day: '2026-13-01' }, 'must be a UTC day such as 2026-11-22'],
  [{ on: 'yes' }, 'must be true or false'], [{ limit: [] }, 'must be an object'],
])('the fault of %j is: %s', (change, words) => {
  const { error } = FORM.safeParse({ ...VALID, ...change }, { error: faultWords });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});
