import crypto, { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { invariant } from '@tollgate/core';
import { FairTurns, type Password, type PasswordHasher, type PasswordVerdict, type TurnHolder } from '@tollgate/identity';

export interface Argon2Parameters {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

interface StoredHash extends Argon2Parameters {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** OWASP's parameters for 19 MiB of memory. A hash takes about 33 ms on a current core. */
export const DEFAULT_PARAMETERS: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Maximum number of concurrent hashes: half of libuv's four threads, which also serve file reads and DNS. */
export const MAX_AT_ONCE = 2;

function hashesAtOnce(): number {
  return Math.min(MAX_AT_ONCE, Math.max(1, availableParallelism() - 1));
}

function compute(message: Password, { memory, passes, parallelism, salt, hash }: StoredHash): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    crypto.argon2('argon2id', { message, nonce: salt, parallelism, tagLength: hash.length, memory, passes }, (error, computed) => {
      if (error === null) resolve(computed);
      else reject(error);
    });
  });
}

function isWeaker(stored: Argon2Parameters, today: Argon2Parameters): boolean {
  return stored.memory < today.memory || stored.passes < today.passes;
}

/** Node's argon2id with bounded concurrency, so that file reads and DNS do not wait for hashes. The constructor throws before Node 24.7. */
export class Argon2Hasher implements PasswordHasher {
  private readonly turns = new FairTurns(hashesAtOnce());
  /** Verified if the person is unknown, so that a sign-in takes the same time as for a known one. */
  private readonly decoy: StoredHash;

  constructor(private readonly parameters: Argon2Parameters = DEFAULT_PARAMETERS) {
    // Not a named import, which would fail to load where `argon2` is missing.
    if (!('argon2' in crypto)) throw new Error(`Hashing passwords requires Node 24.7 or later; this is ${process.version}.`);
    this.decoy = { ...parameters, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  }

  checkRoom(holder: TurnHolder): void {
    this.turns.check(holder);
  }

  async hash(password: Password, holder: TurnHolder): Promise<string> {
    const blank: StoredHash = { ...this.parameters, salt: randomBytes(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
    const hash = await this.turns.run(holder, () => compute(password, blank));
    return writePhcString({ ...blank, hash });
  }

  async verify(password: Password, stored: string | null, holder: TurnHolder): Promise<PasswordVerdict> {
    const expected = stored === null ? this.decoy : readPhcString(stored);
    invariant(expected !== null, 'a stored password is a PHC string of argon2id');
    const computed = await this.turns.run(holder, () => compute(password, expected));
    if (!timingSafeEqual(computed, expected.hash)) return 'wrong';
    return isWeaker(expected, this.parameters) ? 'outdated' : 'right';
  }
}

const VERSION = 19;
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

export function writePhcString({ memory, passes, parallelism, salt, hash }: StoredHash): string {
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Decodes a PHC string of argon2id; `null` for any other text. */
export function readPhcString(text: string): StoredHash | null {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORM.exec(text) ?? [];
  if (memory === undefined) return null;
  return {
    memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64'),
  };
}
