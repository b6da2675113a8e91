import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import {
  type CodeHash, type FactorCodes, type OpenedSecret, RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, type RecoveryCode, type RecoveryCodes,
  type SecretSealer, type TotpCodes,
} from '@tollgate/core';
import type { DerivedKeys, InstallationSecret } from './installation-secret.js';

/** The ciphers and codes of second factors, under the secret of this installation. */
export function factorCodes(secret: InstallationSecret, totp: TotpCodes): FactorCodes {
  return { sealer: new AesSealer(secret.keysFor('factor')), totp, recovery: new RandomRecoveryCodes() };
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names the format of the rest. */
const VERSION = '1.';

/** Seals with AES-256-GCM under a key derived from the installation's secret; the owner is authenticated as associated data. */
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

/** Separates these hashes from other values derived from a factor's secret. */
const LABEL = 'tollgate/1/recovery/';

/** Recovery codes of 50 random bits, stored as HMAC-SHA-256 under the person's own secret, which a store keeps encrypted. */
export class RandomRecoveryCodes implements RecoveryCodes {
  issue(): RecoveryCode {
    // The alphabet has 32 characters, so each is as likely as the others.
    const characters = Array.from(randomBytes(RECOVERY_CODE_LENGTH), (byte) => RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length));
    return characters.join('') as RecoveryCode;
  }

  hash(secret: Uint8Array, code: RecoveryCode): CodeHash {
    return createHmac('sha256', secret).update(LABEL + code).digest('hex') as CodeHash;
  }
}
