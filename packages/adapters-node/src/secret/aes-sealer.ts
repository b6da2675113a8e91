import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { OpenedSecret, SecretSealer } from '@tollgate/core';
import type { DerivedKeys } from './installation-secret.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Says how the rest is to be read. */
const VERSION = '1.';

/** Seals with AES-256-GCM under a key derived from the installation's secret; the owner is authenticated with it. */
export class AesSealer implements SecretSealer {
  readonly #keys: DerivedKeys;

  constructor(keys: DerivedKeys) {
    this.#keys = keys;
  }

  seal(secret: Uint8Array, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys.current, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return VERSION + sealed.toString('base64url');
  }

  open(sealed: string, owner: string): OpenedSecret | null {
    const { current, previous } = this.#keys;
    const secret = openWith(current, sealed, owner);
    if (secret !== null) return { secret, outdated: false };
    const earlier = previous === null ? null : openWith(previous, sealed, owner);
    return earlier === null ? null : { secret: earlier, outdated: true };
  }
}

function openWith(key: Uint8Array, sealed: string, owner: string): Uint8Array | null {
  if (!sealed.startsWith(VERSION)) return null;
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
