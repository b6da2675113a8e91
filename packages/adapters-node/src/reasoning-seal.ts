import { createHmac } from 'node:crypto';
import type { AccountId, ReasoningSeal } from '@tollgate/core';
import { decrypt, encrypt } from './aes-gcm.js';
import type { DerivedKeys } from './installation-secret.js';

const VERSION = Uint8Array.of(1);
/** Bytes of a key id. The header also has the version byte; its six bytes are eight characters of base64url. */
const KEY_ID_BYTES = 5;
const HEADER_CHARACTERS = 8;
const KEY_ID_LABEL = 'tollgate/1/response-key-id';

interface SealKey {
  readonly key: Uint8Array;
  /** Version and key id, with which every sealed text begins. */
  readonly header: string;
}

function sealKey(key: Uint8Array): SealKey {
  const id = createHmac('sha256', key).update(KEY_ID_LABEL).digest().subarray(0, KEY_ID_BYTES);
  return { key, header: Buffer.concat([VERSION, id]).toString('base64url') };
}

/**
 * Seals with AES-256-GCM under a derived key, with the account as associated data. A sealed text is the base64url of version, key id, nonce,
 * ciphertext and tag. A text whose header names an unknown key is refused.
 */
export class AesReasoningSeal implements ReasoningSeal {
  readonly #current: SealKey;
  readonly #keys: ReadonlyMap<string, SealKey>;

  constructor({ current, previous }: DerivedKeys) {
    this.#current = sealKey(current);
    const keys = previous === null ? [this.#current] : [this.#current, sealKey(previous)];
    this.#keys = new Map(keys.map((key) => [key.header, key]));
  }

  seal(accountId: AccountId, text: string): string {
    const { key, header } = this.#current;
    return header + encrypt(key, Buffer.from(text), accountId).toString('base64url');
  }

  open(accountId: AccountId, sealed: string): string | null {
    const key = this.#keys.get(sealed.slice(0, HEADER_CHARACTERS))?.key;
    if (key === undefined) return null;
    const rest = sealed.slice(HEADER_CHARACTERS);
    const bytes = Buffer.from(rest, 'base64url');
    // The decoder ignores foreign characters and surplus bits, so texts that `seal` never returned would be accepted.
    if (bytes.toString('base64url') !== rest) return null;
    return decrypt(key, bytes, accountId)?.toString() ?? null;
  }
}
