import { createCipheriv, createDecipheriv, createHash, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ApiKeySecret, type CodeHash, type Instant, instant, type KeyHash, type SecretFingerprints, type SecretHasher, type TokenHash,
} from '@tollgate/core';
import {
  type AddressHashes, type ChallengeUse, type DeviceSigner, type FactorCodes, type OpenChallenge, type OpenedSecret, RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH,
  type RecoveryCode, type RecoveryCodes, type SecretSealer, type SecretToken, type SecretTokens, type SignedChallenges, type TotpCodes,
} from '@tollgate/identity';

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

/** Nonce, ciphertext and tag of AES-256-GCM, with the owner as associated data. */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** What `encrypt` returned, in plain; `null` for anything else. */
export function decrypt(key: Uint8Array, bytes: Uint8Array, owner: string): Buffer | null {
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

/** SHA-256 in hexadecimal. A key carries 285 random bits, so a slow hash would add nothing. */
export class Sha256Hasher implements SecretHasher {
  hash(secret: ApiKeySecret): KeyHash {
    return hash('sha256', secret.reveal(), 'hex') as KeyHash;
  }
}

const TOKEN_BYTES = 32;

/** Tokens from the system's random source, stored as their SHA-256; with 256 random bits a slow hash would add nothing. */
export class RandomSecretTokens implements SecretTokens {
  issue(): SecretToken {
    const text = randomBytes(TOKEN_BYTES).toString('base64url');
    return { text, hash: this.hash(text) };
  }

  hash(text: string): TokenHash {
    return createHash('sha256').update(text).digest('hex') as TokenHash;
  }
}

/** HMAC-SHA256 of e-mail addresses, under the keys derived for sign-up credits. */
export class HmacAddressHashes implements AddressHashes {
  constructor(private readonly keys: DerivedKeys) {}

  of(email: string): readonly string[] {
    return [this.keys.current, this.keys.previous].flatMap((key) => (key === null ? [] : createHmac('sha256', key).update(email).digest('hex')));
  }
}

const SIGNATURE_BYTES = 16;

/** HMAC-SHA256 of the marks of browsers, its first 128 bits, under the keys derived for devices. */
export class HmacDeviceSigner implements DeviceSigner {
  constructor(private readonly keys: DerivedKeys) {}

  sign(content: string): string {
    return signatureOf(this.keys.current, content).toString('base64url');
  }

  verify(content: string, signature: string): boolean {
    const claimed = Buffer.from(signature, 'base64url');
    if (claimed.length !== SIGNATURE_BYTES) return false;
    return [this.keys.current, this.keys.previous].some((key) => key !== null && timingSafeEqual(signatureOf(key, content), claimed));
  }
}

function signatureOf(key: Uint8Array, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}

const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const MAC_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{75}$/;

function mac(key: Uint8Array, label: string, bytes: Uint8Array): Buffer {
  return createHmac('sha256', key).update(label).update('\0').update(bytes).digest();
}

function labelOf({ purpose, boundTo }: ChallengeUse): string {
  return `challenge\0${purpose}\0${boundTo}`;
}

/** Challenges of 56 bytes: when they expire, 128 random bits, and an HMAC-SHA256 of both and of what they are for. */
export class HmacChallenges implements SignedChallenges {
  constructor(private readonly keys: DerivedKeys) {}

  issue(use: ChallengeUse, expiresAt: Instant): string {
    const content = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(RANDOM_BYTES)]);
    content.writeBigUInt64BE(BigInt(expiresAt));
    return Buffer.concat([content, mac(this.keys.current, labelOf(use), content)]).toString('base64url');
  }

  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null {
    const bytes = FORM.test(text) ? Buffer.from(text, 'base64url') : null;
    // Several texts decode to the same bytes; only the one that was issued is taken.
    if (bytes === null || bytes.toString('base64url') !== text) return null;
    const [content, signed] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
    const key = [this.keys.current, this.keys.previous].find((each) => each !== null && timingSafeEqual(mac(each, labelOf(use), content), signed));
    const expiresAt = instant(Number(content.readBigUInt64BE()));
    if (key === undefined || key === null || expiresAt <= at) return null;
    return { expiresAt, derive: (label) => mac(key, `derived\0${label}`, bytes).toString('base64url') };
  }
}
