import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { faultsOf } from './field-faults.js';
import { changeOf, id, instant, label, serviceTokens, text, utcDay } from './field-schemas.js';

function faultsFor(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : faultsOf(error, value);
}

const FORM = z.strictObject({
  name: label(5), note: text(3), kind: z.enum(['a', 'b']), count: z.number().int().min(1).max(9), list: z.array(text(9)).min(1).max(2), at: instant, day: utcDay, key: id, amount: serviceTokens,
  limit: z.strictObject({ svc_tokens: serviceTokens }),
});
const VALID = { name: 'x', note: '', kind: 'a', count: 1, list: ['a'], at: '2026-11-22T10:00:00Z', day: '2026-11-22', key: 'key_1', amount: '1', limit: { svc_tokens: '1' } };

it.each([
  [{ name: undefined }, 'name', { code: 'required' }], [{ name: ' ' }, 'name', { code: 'empty' }], [{ name: 'abcdef' }, 'name', { code: 'too_long', maximum: 5 }], [{ name: 7 }, 'name', { code: 'wrong_type' }],
  [{ note: 'a\tb' }, 'note', { code: 'control_characters' }], [{ kind: 'c' }, 'kind', { code: 'not_offered' }], [{ kind: undefined }, 'kind', { code: 'required' }],
  [{ count: 0 }, 'count', { code: 'too_small', minimum: 1 }], [{ count: 10 }, 'count', { code: 'too_large', maximum: 9 }], [{ count: null }, 'count', { code: 'not_a_number' }],
  [{ list: [] }, 'list', { code: 'too_few', minimum: 1 }], [{ list: ['a', 'b', 'c'] }, 'list', { code: 'too_many', maximum: 2 }], [{ list: ['a', 'b\n'] }, 'list[1]', { code: 'control_characters' }],
  [{ at: 'today' }, 'at', { code: 'not_a_time' }], [{ day: '2026-13-01' }, 'day', { code: 'not_a_day' }], [{ key: 'no id' }, 'key', { code: 'not_an_id' }],
  [{ amount: 'x' }, 'amount', { code: 'not_an_amount' }], [{ amount: '0.0' }, 'amount', { code: 'not_above_zero' }], [{ limit: { svc_tokens: '0' } }, 'limit.svc_tokens', { code: 'not_above_zero' }],
  [{ other: 1 }, 'other', { code: 'unknown_field' }],
])('the change %j has a fault of the field %s: %j', (change, field, problem) => {
  expect(faultsFor(FORM, { ...VALID, ...change }).map((fault) => [fault.field, fault.problem])).toEqual([[field, problem]]);
});

it('every field at fault is reported, each once', () => {
  const fields = faultsFor(FORM, { ...VALID, name: '', count: 0, amount: 'x', limit: {}, one: 1, two: 2 }).map(({ field }) => field);
  expect(fields).toEqual(['name', 'count', 'amount', 'limit.svc_tokens', 'one', 'two']);
});

it('a fault of the whole request names no field', () => {
  expect(faultsFor(changeOf({ name: label(5).optional() }), {})).toEqual([{ field: '', message: 'must name at least one field', problem: { code: 'invalid' } }]);
});

it('at most 20 faults are listed, with at most 100 characters of each field’s name', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, position) => [`${'x'.repeat(500)}${position}`, 1]));
  const faults = faultsFor(FORM, { ...VALID, ...many });
  expect(faults.length).toBeLessThanOrEqual(20);
  expect(Math.max(...faults.map(({ field }) => field.length))).toBe(100);
  expect(faultsFor(z.array(z.number()), Array.from({ length: 5_000 }, () => 'x'))).toHaveLength(20);
});
