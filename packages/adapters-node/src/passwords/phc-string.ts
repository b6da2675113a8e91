/** What argon2id is computed with. */
export interface Argon2Parameters {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** A hash with its parameters and its salt. */
export interface StoredHash extends Argon2Parameters {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const VERSION = 19;
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** The text that password hashes are stored as everywhere (PHC string format). */
export function writePhcString({ memory, passes, parallelism, salt, hash }: StoredHash): string {
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** `null` for any other form. */
export function readPhcString(text: string): StoredHash | null {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORM.exec(text) ?? [];
  if (memory === undefined) return null;
  return {
    memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64'),
  };
}
