import { hkdfSync } from 'node:crypto';
import type { SecretFingerprints } from '@tollgate/core';

/** The purpose of a key derived from the secret. A key for one purpose reveals nothing about the keys for others. */
export type KeyPurpose = 'session' | 'token' | 'response' | 'challenge' | 'factor' | 'signup-credit' | 'device';

/** `current` encrypts and signs; `previous` is tried where `current` does not open or verify a value. */
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

/** The one secret of an installation. It never leaves this object; keys are derived from it by HKDF-SHA256, each under a label of its own. */
export class InstallationSecret {
  readonly #current: Uint8Array;
  readonly #previous: Uint8Array | null;

  constructor(current: Uint8Array, previous: Uint8Array | null) {
    this.#current = current;
    this.#previous = previous;
  }

  /** Keys of 32 bytes. */
  keysFor(purpose: KeyPurpose): DerivedKeys {
    return this.derived(`key/${purpose}`);
  }

  /** Values that may be stored and compared in clear. */
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
