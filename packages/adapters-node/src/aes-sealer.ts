import type { OpenedSecret, SecretSealer } from '@tollgate/identity';
import { decrypt, encrypt } from './aes-gcm.js';
import type { DerivedKeys } from './installation-secret.js';

/** Prefix that identifies the format. */
const VERSION = '1.';

/** AES-256-GCM under a derived key, with the owner as associated data. */
export class AesSealer implements SecretSealer {
  readonly #keys: DerivedKeys;

  constructor(keys: DerivedKeys) {
    this.#keys = keys;
  }

  seal(secret: Uint8Array, owner: string): string {
    return VERSION + encrypt(this.#keys.current, secret, owner).toString('base64url');
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
  return decrypt(key, Buffer.from(sealed.slice(VERSION.length), 'base64url'), owner);
}
