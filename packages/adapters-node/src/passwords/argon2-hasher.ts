import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Password, type PasswordHasher, type PasswordVerdict, invariant } from '@tollgate/core';
import { HashQueue, type Pause } from './hash-queue.js';
import { type Argon2Parameters, readPhcString, type StoredHash, writePhcString } from './phc-string.js';

/** The first choice of OWASP's password storage guidelines for 19 MiB: about 33 ms on a current core. */
export const DEFAULT_PARAMETERS: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes run on the threads that also read files and resolve names, so at most half of the four. */
const MOST_AT_ONCE = 2;

function atOnce(): number {
  return Math.min(MOST_AT_ONCE, Math.max(1, availableParallelism() - 1));
}

function compute(message: Password, { memory, passes, parallelism, salt, hash }: StoredHash): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, parallelism, tagLength: hash.length, memory, passes }, (error, computed) => {
      if (error === null) resolve(computed);
      else reject(error);
    });
  });
}

function isWeaker(stored: Argon2Parameters, today: Argon2Parameters): boolean {
  return stored.memory < today.memory || stored.passes < today.passes;
}

/** Argon2id of Node itself, a few at a time so that files and names are not kept waiting. */
export class Argon2Hasher implements PasswordHasher {
  private readonly queue: HashQueue;
  /** What a password is checked against when there is no person: random, so nothing is equal to it. */
  private readonly nobody: StoredHash;

  constructor(private readonly parameters: Argon2Parameters = DEFAULT_PARAMETERS, pause?: Pause) {
    this.queue = new HashQueue(atOnce(), pause);
    this.nobody = { ...parameters, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  }

  room(): Promise<void> {
    return this.queue.room();
  }

  async hash(password: Password): Promise<string> {
    const blank: StoredHash = { ...this.parameters, salt: randomBytes(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
    const hash = await this.queue.run(() => compute(password, blank));
    return writePhcString({ ...blank, hash });
  }

  async verify(password: Password, stored: string | null): Promise<PasswordVerdict> {
    const expected = stored === null ? this.nobody : readPhcString(stored);
    invariant(expected !== null, 'a stored password is a PHC string of argon2id');
    const computed = await this.queue.run(() => compute(password, expected));
    if (!timingSafeEqual(computed, expected.hash)) return 'wrong';
    return isWeaker(expected, this.parameters) ? 'outdated' : 'right';
  }
}
