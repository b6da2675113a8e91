import { describe, expect, it } from '@jest/globals';
import { idGeneratorContract } from '@tollgate/testkit';
import { RandomIds } from './random-ids.js';

idGeneratorContract('random', () => new RandomIds());

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
  ])('makes ids and secrets with at least 24 characters after the prefix: %s', (_kind, make, form) => {
    expect(make()).toMatch(form);
  });
});

it('ids of requests, reservations and responses sort by creation time', async () => {
  const ids = new RandomIds();
  const made = (): readonly (readonly string[])[] => [() => ids.requestId(), () => ids.reservationId(), () => ids.responseId('resp_')]
    .map((make) => Array.from({ length: 20 }, make).toSorted());
  const earlier = made();
  const startedAt = Date.now();
  while (Date.now() === startedAt) await Promise.resolve();
  const later = made();
  expect(earlier.map((of, kind) => (of.at(-1) ?? '') < (later[kind]?.[0] ?? ''))).toEqual([true, true, true]);
});
