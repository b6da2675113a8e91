import { describe, expect, it } from '@jest/globals';
import { RandomIds } from './random-ids.js';

describe('RandomIds', () => {
  const ids = new RandomIds();

  it.each<[string, () => string, RegExp]>([
    ['account', () => ids.accountId(), /^acct_[A-Za-z0-9]{24}$/],
    ['key', () => ids.apiKeyId(), /^key_[A-Za-z0-9]{24}$/],
    ['request', () => ids.requestId(), /^req_[A-Za-z0-9]{24}$/],
    ['process', () => ids.processId(), /^proc_[A-Za-z0-9]{24}$/],
    ['reservation', () => ids.reservationId(), /^rsv_[A-Za-z0-9]{24}$/],
    ['chat reply', () => ids.responseId('chatcmpl-'), /^chatcmpl-[A-Za-z0-9]{24}$/],
    ['secret', () => ids.apiKeySecret().reveal(), /^sk-[A-Za-z0-9]{48}$/],
  ])('makes %s ids of their form, no two the same', (_kind, make, form) => {
    const made = Array.from({ length: 1_000 }, make);
    expect(made.every((id) => form.test(id))).toBe(true);
    expect(new Set(made).size).toBe(1_000);
  });
});

it('makes the ids that are stored with every request sort by the time they were made at', async () => {
  const ids = new RandomIds();
  const earlier = [ids.requestId(), ids.reservationId()];
  const startedAt = Date.now();
  while (Date.now() === startedAt) await Promise.resolve();
  const later = [ids.requestId(), ids.reservationId()];
  expect(earlier.map((id, position) => id < (later[position] ?? ''))).toEqual([true, true]);
});
