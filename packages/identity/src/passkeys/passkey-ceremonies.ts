import type { JsonObject } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { PasskeyCredential } from './passkey.js';

export interface CreationCommand {
  readonly challenge: string;
  readonly person: Person;
  /** An authenticator that has one of these creates no further passkey. */
  readonly existing: readonly PasskeyCredential[];
}

/** A browser's answer, not yet verified. */
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
 * WebAuthn for one relying party, with user verification and discoverable credentials. Options are JSON for `navigator.credentials`;
 * answers are untrusted.
 */
export interface PasskeyCeremonies {
  creationOptions(command: CreationCommand): Promise<JsonObject>;
  requestOptions(challenge: string): Promise<JsonObject>;
  /** `null` if the answer is malformed or too large. */
  read(answer: unknown): ClaimedAnswer | null;
  /** `null` unless it is a new credential for this challenge and this origin. */
  verifyCreation(answer: unknown, challenge: string): Promise<VerifiedCreation | null>;
  /** `null` unless the credential signed this challenge for this origin with the owner's user handle. */
  verifyAssertion(answer: unknown, challenge: string, owner: { readonly person: Person; readonly credential: PasskeyCredential }): Promise<VerifiedAssertion | null>;
}
