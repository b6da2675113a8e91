import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { readTextFile } from './text-file.js';

const MIN_SECRET_BYTES = 32;
const MAX_CHARACTERS = 1_024;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const SECRET_FORM = `must be at least ${MIN_SECRET_BYTES} random bytes in hexadecimal or base64, such as \`openssl rand -hex ${MIN_SECRET_BYTES}\` prints`;

/** `null` if the text is neither hexadecimal nor base64, is too long, or has too few bytes. */
function decodeSecret(text: string): Uint8Array | null {
  if (text.length > MAX_CHARACTERS) return null;
  const bytes = HEXADECIMAL.test(text) ? Buffer.from(text, 'hex') : BASE64.test(text) ? Buffer.from(text, 'base64') : null;
  return bytes === null || bytes.length < MIN_SECRET_BYTES ? null : new Uint8Array(bytes);
}

/** The message never repeats the value. */
export const secretText = z.string().transform((text, context) => {
  const bytes = decodeSecret(text);
  if (bytes !== null) return bytes;
  context.addIssue(SECRET_FORM);
  return z.NEVER;
});

export type SecretFileReading =
  | { readonly outcome: 'read'; readonly secret: Uint8Array }
  | { readonly outcome: 'missing' }
  /** One line with the path, without the content. */
  | { readonly outcome: 'unusable'; readonly problem: string };

const OWNER_ONLY = 0o600;
const TEMPORARY_NAME_BYTES = 8;

export function readSecretFile(path: string): SecretFileReading {
  try {
    const secret = decodeSecret(readTextFile(path).trim());
    return secret === null ? { outcome: 'unusable', problem: `the file ${path} ${SECRET_FORM}` } : { outcome: 'read', secret };
  } catch (thrown) {
    return refusalOf(thrown).code === 'ENOENT' ? { outcome: 'missing' } : { outcome: 'unusable', problem: `the file ${path} cannot be read: ${refusalOf(thrown).message}` };
  }
}

/**
 * Atomically creates a file with a new random secret, which only its owner may read, and returns the secret. If the file exists already, or a
 * concurrent process creates it first, returns the secret in that file.
 */
export function makeSecretFile(path: string): SecretFileReading {
  const temporary = `${path}.${randomBytes(TEMPORARY_NAME_BYTES).toString('hex')}`;
  try {
    writeSecret(temporary);
    linkWhereMissing(temporary, path);
  } catch (thrown) {
    return { outcome: 'unusable', problem: `the file ${path} cannot be created: ${refusalOf(thrown).message}` };
  } finally {
    rmSync(temporary, { force: true });
  }
  return readSecretFile(path);
}

/** Syncs the file: the database stores the secret's fingerprint, so the secret must survive a power failure. */
function writeSecret(path: string): void {
  const descriptor = openSync(path, 'wx', OWNER_ONLY);
  try {
    writeSync(descriptor, `${randomBytes(MIN_SECRET_BYTES).toString('hex')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a hard link, which, unlike a rename, never replaces a file. */
function linkWhereMissing(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (refusalOf(thrown).code !== 'EEXIST') throw thrown;
  }
}

/** The type of all errors that the file system throws. */
function refusalOf(thrown: unknown): NodeJS.ErrnoException {
  return thrown as NodeJS.ErrnoException;
}
