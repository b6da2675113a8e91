import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { JsonObject } from '@tollgate/core';
import { type Cbor, encodeCbor } from './cbor.js';

/** How an answer differs from a correct one. A relying party must refuse some of these answers. */
export interface AuthenticatorDifferences {
  /** The origin of the page. By default, the relying party's. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly verifiesUser?: boolean;
  /** How much the signature counter grows, by default 1. Some authenticators have a counter that is always 0. */
  readonly counts?: number;
  readonly crossOrigin?: boolean;
  /** The attestation. By default, its format is `none`. */
  readonly attestation?: { readonly format: string; readonly statement: ReadonlyMap<string, Cbor> };
  readonly userHandle?: string;
}

interface Credential {
  readonly id: Buffer;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const COSE_ES256: readonly (readonly [number, number])[] = [[1, 2], [3, -7], [-1, 1]];
const AAGUID = Buffer.alloc(16);

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function uint(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** Simulates an authenticator with discoverable ES256 keys, and its browser. Unlike a browser, it signs for any origin. */
export class SoftwareAuthenticator {
  readonly #credentials: Credential[] = [];

  constructor(private readonly page: { readonly origin: string; readonly id: string }, private readonly habits: AuthenticatorDifferences = {}) {}

  /** Answers the options of `navigator.credentials.create`, in their JSON form. */
  create(options: JsonObject, differences: AuthenticatorDifferences = {}): JsonObject {
    const habits = { ...this.habits, ...differences };
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const credential = { id: randomBytes(32), userHandle: (options['user'] as { readonly id: string }).id, privateKey, counter: 0 };
    this.#credentials.push(credential);
    const coseKey = new Map<number, Cbor>([...COSE_ES256, [-2, Buffer.from(x, 'base64url')], [-3, Buffer.from(y, 'base64url')]]);
    const attested = Buffer.concat([AAGUID, uint(credential.id.length, 2), credential.id, encodeCbor(coseKey)]);
    const { format, statement } = habits.attestation ?? { format: 'none', statement: new Map<string, Cbor>() };
    const authData = Buffer.concat([this.data(credential, habits, HAS_CREDENTIAL), attested]);
    const attestationObject = encodeCbor(new Map<string, Cbor>([['fmt', format], ['attStmt', statement], ['authData', authData]])).toString('base64url');
    return this.answer(credential, { clientDataJSON: this.clientData('webauthn.create', options, habits), attestationObject, transports: ['internal'] });
  }

  /** Answers the options of `navigator.credentials.get`, in their JSON form, with the newest credential. */
  get(options: JsonObject, differences: AuthenticatorDifferences = {}): JsonObject {
    const habits = { ...this.habits, ...differences };
    const credential = this.#credentials.at(-1);
    if (credential === undefined) throw new Error('the authenticator has no credential');
    credential.counter += habits.counts ?? 1;
    const authenticatorData = this.data(credential, habits, 0);
    const clientDataJSON = this.clientData('webauthn.get', options, habits);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]), credential.privateKey);
    return this.answer(credential, {
      clientDataJSON, authenticatorData: authenticatorData.toString('base64url'), signature: signature.toString('base64url'),
      userHandle: habits.userHandle ?? credential.userHandle,
    });
  }

  /** A second authenticator with the same keys. Its counters grow independently. */
  copy(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.page, this.habits);
    copy.#credentials.push(...this.#credentials.map((credential) => ({ ...credential })));
    return copy;
  }

  private data({ counter }: Credential, { rpId = this.page.id, verifiesUser = true }: AuthenticatorDifferences, flags: number): Buffer {
    return Buffer.concat([sha256(rpId), Buffer.from([USER_PRESENT + (verifiesUser ? USER_VERIFIED : 0) + flags]), uint(counter, 4)]);
  }

  private clientData(type: string, options: JsonObject, { origin = this.page.origin, crossOrigin = false }: AuthenticatorDifferences): string {
    return Buffer.from(JSON.stringify({ type, challenge: options['challenge'], origin, crossOrigin })).toString('base64url');
  }

  private answer({ id }: Credential, response: JsonObject): JsonObject {
    return { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', clientExtensionResults: {}, response };
  }
}
