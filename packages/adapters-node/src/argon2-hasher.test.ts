import { describe, expect, it } from '@jest/globals';
import { type Password, type PasswordHasher, readPassword } from '@tollgate/core';
import { Argon2Hasher, DEFAULT_PARAMETERS, HashQueue, readPhcString, writePhcString } from './argon2-hasher.js';
import { RandomSecretTokens } from './installation-secret.js';

const WEAK = { memory: 8, passes: 1, parallelism: 1 };

function aPassword(typed: string): Password {
  const read = readPassword(typed);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  return read.password;
}

const RIGHT = aPassword('correct horse');
const WRONG = aPassword('correct hoarse');

describe('Argon2Hasher', () => {
  it('knows the password of a hash, and no other', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const stored = await hasher.hash(RIGHT);
    expect([await hasher.verify(RIGHT, stored), await hasher.verify(WRONG, stored), await hasher.verify(RIGHT, null)]).toEqual(['right', 'wrong', 'wrong']);
  });

  it('hashes the same password to another text each time, which names its parameters', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const [first, second] = [await hasher.hash(RIGHT), await hasher.hash(RIGHT)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('tells a hash that is weaker than today\'s', async () => {
    const stored = await new Argon2Hasher(WEAK).hash(RIGHT);
    expect(await new Argon2Hasher({ ...WEAK, passes: 2 }).verify(RIGHT, stored)).toBe('outdated');
    expect(await new Argon2Hasher({ ...WEAK, memory: 16 }).verify(WRONG, stored)).toBe('wrong');
  });

  // From the reference implementation of Argon2: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 24
  it('verifies what other programs have hashed', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await hasher.verify(aPassword('password'), stored)).toBe('right');
  });

  it('throws when what is stored is no hash, rather than calling the password wrong', async () => {
    await expect(new Argon2Hasher(WEAK).verify(RIGHT, 'correct horse')).rejects.toThrow('PHC string');
  });

  it('hashes with what OWASP recommends unless told otherwise', () => {
    expect(DEFAULT_PARAMETERS).toEqual({ memory: 19_456, passes: 2, parallelism: 1 });
  });

  it('refuses after a pause, and says when to try again, when more than 64 wait', async () => {
    let pauses = 0;
    const hasher: PasswordHasher = new Argon2Hasher(WEAK, async () => void (pauses += 1));
    const attempts = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash(RIGHT)));
    const refused = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(100 - 64 - 2);
    expect(pauses).toBe(refused.length);
    expect(refused[0]?.reason).toMatchObject({ code: 'server_busy', retryAfterSeconds: 2 });
    expect(await hasher.hash(RIGHT)).toContain('argon2id');
  });
});

describe('HashQueue', () => {
  it('takes a computation on that finds room after the pause', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting: readonly Promise<void>[] = [];
    const queue = new HashQueue(1, async () => {
      release();
      await Promise.all(waiting);
    });
    waiting = Array.from({ length: 65 }, () => queue.run(() => held));
    await queue.room();
    expect(await queue.run(() => Promise.resolve('served'))).toBe('served');
  });

  it('runs so many at once and the others in the order of their arrival, also after a failure', async () => {
    const queue = new HashQueue(2);
    const events: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string): Promise<void> => queue.run(() => new Promise((resolve, reject) => {
      events.push(name);
      ends.push(name === 'first' ? () => reject(new Error('no memory')) : resolve);
    }));
    const all = ['first', 'second', 'third', 'fourth'].map(work);
    const first = all[0]?.catch((thrown: unknown) => String(thrown));
    await Promise.resolve();
    expect(events).toEqual(['first', 'second']);
    ends[0]?.();
    expect(await first).toBe('Error: no memory');
    expect(events).toEqual(['first', 'second', 'third']);
    ends[1]?.();
    await all[1];
    expect(events).toEqual(['first', 'second', 'third', 'fourth']);
    ends[2]?.();
    ends[3]?.();
    await Promise.all(all.slice(1));
  });
});

it.each(['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21l$c29tZXNhbHRzb21lc29tZXNhbHQ', '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21l$'])('%j is no PHC string of argon2id', (text) => {
  expect(readPhcString(text)).toBeNull();
});

it('a PHC string reads back as it was written', () => {
  const stored = { ...WEAK, salt: Buffer.alloc(16, 7), hash: Buffer.alloc(32, 9) };
  expect(readPhcString(writePhcString(stored))).toEqual(stored);
});

it('tokens are 43 characters that no two share, and are stored as their SHA-256', () => {
  const tokens = new RandomSecretTokens();
  const issued = Array.from({ length: 100 }, () => tokens.issue());
  expect(issued.filter(({ text }) => !/^[A-Za-z0-9_-]{43}$/.test(text))).toEqual([]);
  expect(new Set(issued.map(({ hash }) => hash)).size).toBe(100);
  expect(issued.every(({ text, hash }) => tokens.hash(text) === hash)).toBe(true);
  expect(tokens.hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
