import { isIP } from 'node:net';
import type { JsonObject } from '@tollgate/core';
import type { ClaimedAnswer, CreationCommand, PasskeyCeremonies, PasskeyCredential, Person, VerifiedAssertion, VerifiedCreation } from '@tollgate/identity';
import type * as ceremonies from './passkey-ceremonies.js';

/** `PublicKeyCredential.toJSON` with validated types and bounded lengths. */
export interface BrowserAnswer {
  readonly id: string;
  readonly challenge: string;
  readonly clientDataJson: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly transports: readonly string[];
}

const BASE64URL = /^[A-Za-z0-9_-]*$/;
/** Characters of 1,023 bytes, the protocol's maximum, in base64url. */
const MAX_ID = 1_364;
const MAX_CLIENT_DATA = 4_096;
const MAX_PART = 16_384;
const TRANSPORTS: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest && BASE64URL.test(value);
}

/** The signed challenge; `null` if the data is malformed or comes from a cross-origin frame. */
function challengeIn(clientDataJson: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    return isObject(data) && data['crossOrigin'] !== true && typeof data['challenge'] === 'string' ? data['challenge'] : null;
  } catch {
    return null;
  }
}

function partsOf(response: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const names = ['attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  return Object.fromEntries(names.flatMap((name) => (isText(response[name], MAX_PART) ? [[name, response[name]]] : [])));
}

/** Decodes a browser's response; `null` if it is malformed. Parts that only one ceremony has are validated later. */
function readBrowserAnswer(answer: unknown): BrowserAnswer | null {
  if (!isObject(answer) || answer['type'] !== 'public-key' || !isText(answer['id'], MAX_ID) || answer['rawId'] !== answer['id']) return null;
  const { id, response } = answer;
  if (!isObject(response) || !isText(response['clientDataJSON'], MAX_CLIENT_DATA)) return null;
  const { clientDataJSON: clientDataJson, transports } = response;
  const challenge = challengeIn(clientDataJson);
  if (challenge === null) return null;
  const known = Array.isArray(transports) ? [...new Set(transports.filter((transport) => TRANSPORTS.has(transport)))] as string[] : [];
  return { id, challenge, clientDataJson, parts: partsOf(response), transports: known };
}

type Ceremonies = typeof ceremonies;

/** Uses @simplewebauthn/server, which is loaded on first use. */
export class WebAuthnCeremonies implements PasskeyCeremonies {
  constructor(private readonly relyingParty: RelyingParty) {}

  async creationOptions(command: CreationCommand): Promise<JsonObject> {
    return (await load()).creationOptions(this.relyingParty, command);
  }

  async requestOptions(challenge: string): Promise<JsonObject> {
    return (await load()).requestOptions(this.relyingParty, challenge);
  }

  read(answer: unknown): ClaimedAnswer | null {
    const read = readBrowserAnswer(answer);
    return read === null ? null : { credentialId: read.id, challenge: read.challenge };
  }

  verifyCreation(answer: unknown, challenge: string): Promise<VerifiedCreation | null> {
    return verified(answer, ({ verifyCreation }, read) => verifyCreation(this.relyingParty, read, challenge));
  }

  verifyAssertion(answer: unknown, challenge: string, owner: { readonly person: Person; readonly credential: PasskeyCredential }): Promise<VerifiedAssertion | null> {
    return verified(answer, ({ verifyAssertion }, read) => verifyAssertion(this.relyingParty, read, { challenge, ...owner }));
  }
}

function load(): Promise<Ceremonies> {
  return import('./passkey-ceremonies.js');
}

/** `null` if the response is not valid. The library does no I/O, so each of its errors means that the response is not valid. */
async function verified<T>(answer: unknown, verify: (loaded: Ceremonies, read: BrowserAnswer) => Promise<T | null>): Promise<T | null> {
  const read = readBrowserAnswer(answer);
  if (read === null) return null;
  const loaded = await load();
  return await verify(loaded, read).catch(() => null);
}

/** Passkeys only work on this origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  /** Name that authenticators show. */
  readonly name: string;
}

export type RelyingPartyOutcome =
  | { readonly outcome: 'available'; readonly relyingParty: RelyingParty }
  /** `ip-address`: passkeys need a name. `insecure-address`: they need https or `localhost`. */
  | { readonly outcome: 'ip-address' | 'insecure-address' };

const NAME = 'Tollgate';

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

export function relyingPartyOf(publicUrl: URL): RelyingPartyOutcome {
  const { hostname, origin, protocol } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return { outcome: 'ip-address' };
  if (protocol !== 'https:' && !isLocalhost(hostname)) return { outcome: 'insecure-address' };
  return { outcome: 'available', relyingParty: { id: hostname, origin, name: NAME } };
}
