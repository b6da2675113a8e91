import { hkdfSync } from 'node:crypto';
import type { SecretFingerprints } from '@tollgate/core';

/** Each purpose has a key from which no other key can be computed. */
export type KeyPurpose = 'response' | 'challenge' | 'factor' | 'signup-credit' | 'device' | 'webhook';

/** `previous` opens and verifies values that `current` does not. */
export interface DerivedKeys {
  readonly current: Uint8Array;
  /** `null` outside a rotation. */
  readonly previous: Uint8Array | null;
}

const KEY_BYTES = 32;
const NO_SALT = new Uint8Array(0);

function derive(secret: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, NO_SALT, `tollgate/1/${label}`, KEY_BYTES));
}

/** Holds the secret, which never leaves this object. Derives a key for each purpose by HKDF-SHA256 with a label. */
export class InstallationSecret {
  readonly #current: Uint8Array;
  readonly #previous: Uint8Array | null;

  constructor(current: Uint8Array, previous: Uint8Array | null) {
    this.#current = current;
    this.#previous = previous;
  }

  /** Returns keys of 32 bytes. */
  keysFor(purpose: KeyPurpose): DerivedKeys {
    return this.derived(`key/${purpose}`);
  }

  /** Fingerprints may be stored and compared in plaintext. */
  fingerprints(): SecretFingerprints {
    const { current, previous } = this.derived('fingerprint');
    return { current: hexadecimal(current), previous: previous === null ? null : hexadecimal(previous) };
  }

  private derived(label: string): DerivedKeys {
    return { current: derive(this.#current, label), previous: this.#previous === null ? null : derive(this.#previous, label) };
  }
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
