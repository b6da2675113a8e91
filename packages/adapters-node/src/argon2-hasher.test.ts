import crypto from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Password, readPassword, strangerAt } from '@tollgate/identity';
import { Argon2Hasher, DEFAULT_PARAMETERS, readPhcString, writePhcString } from './argon2-hasher.js';
import { RandomSecretTokens } from './random-secret-tokens.js';

const WEAK = { memory: 8, passes: 1, parallelism: 1 };

function aPassword(typed: string): Password {
  const read = readPassword(typed);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  return read.password;
}

const HERE = strangerAt('203.0.113.7');
const RIGHT = aPassword('correct horse');
const WRONG = aPassword('correct hoarse');

describe('Argon2Hasher', () => {
  it('names the required Node version if argon2 is missing', () => {
    const descriptor = Object.getOwnPropertyDescriptor(crypto, 'argon2');
    if (descriptor === undefined) throw new Error('this Node has no argon2');
    Reflect.deleteProperty(crypto, 'argon2');
    try {
      expect(() => new Argon2Hasher(WEAK)).toThrow('Hashing passwords requires Node 24.7 or later');
    } finally {
      Object.defineProperty(crypto, 'argon2', descriptor);
    }
  });

  it('verifies only the right password', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const stored = await hasher.hash(RIGHT, HERE);
    expect([await hasher.verify(RIGHT, stored, HERE), await hasher.verify(WRONG, stored, HERE), await hasher.verify(RIGHT, null, HERE)]).toEqual(['right', 'wrong', 'wrong']);
  });

  it('hashes the same password to different texts, which contain the parameters', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const [first, second] = [await hasher.hash(RIGHT, HERE), await hasher.hash(RIGHT, HERE)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('detects hashes weaker than the current parameters', async () => {
    const stored = await new Argon2Hasher(WEAK).hash(RIGHT, HERE);
    expect(await new Argon2Hasher({ ...WEAK, passes: 2 }).verify(RIGHT, stored, HERE)).toBe('outdated');
    expect(await new Argon2Hasher({ ...WEAK, memory: 16 }).verify(WRONG, stored, HERE)).toBe('wrong');
  });

  // From the reference implementation of Argon2: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 24
  it('verifies hashes that other programs made', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await hasher.verify(aPassword('password'), stored, HERE)).toBe('right');
  });

  it('throws for a malformed hash instead of reporting a wrong password', async () => {
    await expect(new Argon2Hasher(WEAK).verify(RIGHT, 'correct horse', HERE)).rejects.toThrow('PHC string');
  });

  it('uses OWASP’s recommended parameters by default', () => {
    expect(DEFAULT_PARAMETERS).toEqual({ memory: 19_456, passes: 2, parallelism: 1 });
  });

  it('immediately refuses hashes beyond the limit of one client network, with a retry time', async () => {
    const hasher = new Argon2Hasher(WEAK);
    const attempts = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash(RIGHT, HERE)));
    const refused = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(100 - 8 - 2);
    expect(refused[0]?.reason).toMatchObject({ code: 'too_many_attempts', retryAfterSeconds: 2 });
    expect(await hasher.hash(RIGHT, HERE)).toContain('argon2id');
  });
});

it.each(['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21l$c29tZXNhbHRzb21lc29tZXNhbHQ', '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21l$'])('%j is not a PHC string of argon2id', (text) => {
  expect(readPhcString(text)).toBeNull();
});

it('a hash that is written as a PHC string is read back unchanged', () => {
  const stored = { ...WEAK, salt: Buffer.alloc(16, 7), hash: Buffer.alloc(32, 9) };
  expect(readPhcString(writePhcString(stored))).toEqual(stored);
});

it('secret tokens are unique, 43 characters long, and hashed with SHA-256', () => {
  const tokens = new RandomSecretTokens();
  const issued = Array.from({ length: 100 }, () => tokens.issue());
  expect(issued.filter(({ text }) => !/^[A-Za-z0-9_-]{43}$/.test(text))).toEqual([]);
  expect(new Set(issued.map(({ hash }) => hash)).size).toBe(100);
  expect(issued.every(({ text, hash }) => tokens.hash(text) === hash)).toBe(true);
  expect(tokens.hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
