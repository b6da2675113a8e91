import type {
  ClaimedAnswer, CreationCommand, JsonObject, PasskeyCeremonies, PasskeyCredential, Person, VerifiedAssertion, VerifiedCreation,
} from '@tollgate/core';
import { type BrowserAnswer, readBrowserAnswer } from './browser-answer.js';
import type * as ceremonies from './passkeys/ceremonies.js';
import type { RelyingParty } from './relying-party.js';

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
  return import('./passkeys/ceremonies.js');
}

/** The library throws an error of its own for each thing that can be wrong with an answer, and does no input or output. */
async function verified<T>(answer: unknown, verify: (loaded: Ceremonies, read: BrowserAnswer) => Promise<T | null>): Promise<T | null> {
  const read = readBrowserAnswer(answer);
  if (read === null) return null;
  const loaded = await load();
  return await verify(loaded, read).catch(() => null);
}
