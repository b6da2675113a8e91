import type { JsonObject } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { PasskeyCredential } from './passkey.js';

export interface CreationCommand {
  readonly challenge: string;
  readonly person: Person;
  /** An authenticator with one of these refuses to create another. */
  readonly existing: readonly PasskeyCredential[];
}

/** Unverified claims of a browser's answer. */
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
 * WebAuthn for one relying party. User verification is required, and credentials are discoverable. Options are JSON for
 * `navigator.credentials`; answers are untrusted.
 */
export interface PasskeyCeremonies {
  creationOptions(command: CreationCommand): Promise<JsonObject>;
  requestOptions(challenge: string): Promise<JsonObject>;
  /** `null` for a malformed or oversized answer. */
  read(answer: unknown): ClaimedAnswer | null;
  /** `null` unless the answer contains a new credential for this challenge and this origin. */
  verifyCreation(answer: unknown, challenge: string): Promise<VerifiedCreation | null>;
  /** `null` unless the credential signed this challenge for this origin and its user handle is the owner's. */
  verifyAssertion(answer: unknown, challenge: string, owner: { readonly person: Person; readonly credential: PasskeyCredential }): Promise<VerifiedAssertion | null>;
}
