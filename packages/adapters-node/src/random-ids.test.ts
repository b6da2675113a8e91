import { describe, expect, it } from '@jest/globals';
import { idGeneratorContract } from '@tollgate/testkit';
import { API_KEY_ALPHABET } from '@tollgate/core';
import { RandomCharacters, RandomIds, TIME_CHARACTERS, TimeCharacters } from './system.js';

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
  ])('makes %s ids too long to be guessed', (_kind, make, form) => {
    expect(make()).toMatch(form);
  });
});

it('makes the ids that are stored with every request sort by the time they were made at', async () => {
  const ids = new RandomIds();
  const made = (): readonly (readonly string[])[] => [() => ids.requestId(), () => ids.reservationId(), () => ids.responseId('resp_')]
    .map((make) => Array.from({ length: 20 }, make).toSorted());
  const earlier = made();
  const startedAt = Date.now();
  while (Date.now() === startedAt) await Promise.resolve();
  const later = made();
  expect(earlier.map((of, kind) => (of.at(-1) ?? '') < (later[kind]?.[0] ?? ''))).toEqual([true, true, true]);
});

/** Fills with 0, 1, 2 … 255, 0, 1 …: every byte value equally often. */
function countingBytes(): (bytes: Uint8Array) => void {
  let next = 0;
  return (bytes) => {
    for (const position of bytes.keys()) bytes[position] = next++ & 0xff;
  };
}

describe('RandomCharacters', () => {
  it('turns equally likely bytes into equally likely characters', () => {
    const characters = new RandomCharacters(countingBytes()).take(62 * 4 * 50);
    const counts = new Map<string, number>();
    for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual(Array.from(API_KEY_ALPHABET).toSorted());
    expect(new Set(counts.values())).toEqual(new Set([200]));
  });

  it('uses no random byte twice', () => {
    const random = new RandomCharacters(countingBytes());
    const once = random.take(62 * 4);
    const inPieces = new RandomCharacters(countingBytes());
    expect(Array.from({ length: 62 }, () => inPieces.take(4)).join('')).toBe(once);
  });

  it('gives exactly as many characters as asked for, however many bytes that takes', () => {
    for (const count of [0, 1, 24, 48, 5_000]) expect(new RandomCharacters().take(count)).toHaveLength(count);
  });

  it('draws every character about equally often from the real source', () => {
    const characters = new RandomCharacters().take(62_000);
    const counts = new Map<string, number>();
    for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
    const chiSquare = Array.from(API_KEY_ALPHABET).reduce((sum, character) => sum + ((counts.get(character) ?? 0) - 1_000) ** 2 / 1_000, 0);
    // 61 degrees of freedom: an unbiased source exceeds 160 once in 10^10 runs; a plain modulo gives about 400.
    expect(chiSquare).toBeLessThan(160);
  });
});

describe('the characters of the time', () => {
  const at = (milliseconds: number): string => new TimeCharacters(() => milliseconds).take();

  it('sort as the instants do, now and in a thousand years', () => {
    const instants = [0, 1, 61, 62, 63, 3_843, 3_844, Date.UTC(2024, 0), Date.UTC(2024, 0) + 1, Date.UTC(2030, 11), Date.UTC(3030, 5)];
    const characters = instants.map(at);
    expect(characters.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(characters);
    expect(new Set(characters).size).toBe(instants.length);
  });

  it('are always as many', () => {
    expect([0, Date.UTC(2024, 0), Date.UTC(7000, 0)].map((instant) => at(instant).length)).toEqual([TIME_CHARACTERS, TIME_CHARACTERS, TIME_CHARACTERS]);
  });

  it('follow the clock', () => {
    let now = 1_000;
    const time = new TimeCharacters(() => now);
    const before = time.take();
    expect(time.take()).toBe(before);
    now = 999;
    expect(time.take() < before).toBe(true);
  });
});
