import type { JsonObject } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { PasskeyCredential } from './passkey.js';

export interface CreationCommand {
  readonly challenge: string;
  readonly person: Person;
  /** Authenticators that hold one of these make no second passkey for the person. */
  readonly existing: readonly PasskeyCredential[];
}

/** What a browser's answer says about itself; nothing of it is proved. */
export interface ClaimedAnswer {
  readonly credentialId: string;
  readonly challenge: string;
}

export interface VerifiedCreation {
  readonly credential: PasskeyCredential;
  readonly backedUp: boolean;
}

export interface VerifiedAssertion {
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * The Web Authentication protocol for one relying party. User verification is required in every ceremony, and a passkey is made so that it can be found
 * without an e-mail address. Options go to a browser's `navigator.credentials` as JSON; answers come from there and may be anything.
 */
export interface PasskeyCeremonies {
  creationOptions(command: CreationCommand): Promise<JsonObject>;
  requestOptions(challenge: string): Promise<JsonObject>;
  /** `null` for an answer that is malformed or too long. */
  read(answer: unknown): ClaimedAnswer | null;
  /** `null` unless the answer is a new passkey for this challenge, made on the relying party's own pages. */
  verifyCreation(answer: unknown, challenge: string): Promise<VerifiedCreation | null>;
  /** `null` unless the credential signed this challenge on the relying party's own pages and names the person it belongs to. */
  verifyAssertion(answer: unknown, challenge: string, owner: { readonly person: Person; readonly credential: PasskeyCredential }): Promise<VerifiedAssertion | null>;
}
