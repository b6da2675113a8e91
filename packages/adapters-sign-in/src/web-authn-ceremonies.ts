import { isIP } from 'node:net';
import type {
  ClaimedAnswer, CreationCommand, JsonObject, PasskeyCeremonies, PasskeyCredential, Person, VerifiedAssertion, VerifiedCreation,
} from '@tollgate/core';
import { type BrowserAnswer, readBrowserAnswer } from './browser-answer.js';
import type * as ceremonies from './passkey-ceremonies.js';

type Ceremonies = typeof ceremonies;

/** Web Authentication by @simplewebauthn/server, which is loaded at the first ceremony. */
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

/** The library throws an error of its own for each thing that can be wrong with an answer, and does no input or output. */
async function verified<T>(answer: unknown, verify: (loaded: Ceremonies, read: BrowserAnswer) => Promise<T | null>): Promise<T | null> {
  const read = readBrowserAnswer(answer);
  if (read === null) return null;
  const loaded = await load();
  return await verify(loaded, read).catch(() => null);
}

/** Who passkeys are made for: they work on this origin alone, for ever. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  /** What an authenticator shows. */
  readonly name: string;
}

export type RelyingPartyOutcome =
  | { readonly outcome: 'available'; readonly relyingParty: RelyingParty }
  /** `ip-address`: browsers make passkeys for names only. `insecure-address`: they make none on plain http beyond `localhost`. */
  | { readonly outcome: 'ip-address' | 'insecure-address' };

const NAME = 'Tollgate';

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** The relying party of a gateway with this public address. */
export function relyingPartyOf(publicUrl: URL): RelyingPartyOutcome {
  const { hostname, origin, protocol } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return { outcome: 'ip-address' };
  if (protocol !== 'https:' && !isLocalhost(hostname)) return { outcome: 'insecure-address' };
  return { outcome: 'available', relyingParty: { id: hostname, origin, name: NAME } };
}
