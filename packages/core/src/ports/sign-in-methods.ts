import type { JsonObject, PasskeyId, PersonId, SessionId, TokenHash } from '../primitives.js';
import type { PasskeyCredential, StoredPasskey } from '../people/passkeys.js';
import type { Person } from '../people/person.js';
import type { StoredMail } from '../mail/mail.js';
import type { Instant } from '../time.js';
import type { AuditedBy } from './accounts.js';
import type { IssuerIdentity, IssuerRefusal, IssuerSubject } from '../people/issuer-sign-in.js';
import type { SignUpPolicy } from '../people/sign-up.js';
import type { AddressVerified } from './person-directory.js';

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

export interface NewPasskey extends StoredPasskey {
  readonly challenge: AnsweredChallenge;
  /** The session it is registered in. If that has ended, or has another token by then, nothing is added; else it is raised, and has the next token. */
  readonly sessionId: SessionId;
  readonly tokenHash: TokenHash;
  readonly nextTokenHash: TokenHash;
  /** Stored in the same transaction; a full outbox refuses nothing. */
  readonly notice: StoredMail;
}

export interface PasskeyUse {
  readonly id: PasskeyId;
  readonly counter: number;
  readonly backedUp: boolean;
  readonly challenge: AnsweredChallenge;
  readonly at: Instant;
}

export interface PasskeyRemoval {
  readonly personId: PersonId;
  readonly id: PasskeyId;
  /** Also where the person would be left without any second factor. */
  readonly evenIfLast: boolean;
  /** Stored in the same transaction. */
  readonly notice: StoredMail;
}

/** `known`: the credential exists already, with this person or another. `refused`: the challenge was used before, or the session has ended. */
export type AddPasskeyOutcome = 'added' | 'known' | 'too-many' | 'refused';
export type RemovePasskeyOutcome = 'removed' | 'last-factor' | 'no-such-passkey';

/** Passkeys as a store keeps them; adding and removing enters the audit trail in the same transaction. Throws when the store is away. */
export interface PasskeyRecords {
  /** Takes the challenge and raises the session. */
  add(passkey: NewPasskey, by: AuditedBy): Promise<AddPasskeyOutcome>;
  /** Oldest first. */
  list(personId: PersonId): Promise<readonly StoredPasskey[]>;
  findByCredential(credentialId: string): Promise<StoredPasskey | null>;
  /** Takes the challenge and notes counter and time. `false`, and no effect, when the challenge was used before, the counter does not advance or the passkey is gone. */
  use(use: PasskeyUse): Promise<boolean>;
  /** `false` when the person has no such passkey. */
  rename(personId: PersonId, id: PasskeyId, name: string): Promise<boolean>;
  /** Sessions of a person without any factor left are worth one. */
  remove(removal: PasskeyRemoval, by: AuditedBy): Promise<RemovePasskeyOutcome>;
}

export type ChallengePurpose = 'passkey-registration' | 'passkey-sign-in' | 'issuer-sign-in';

/** What a challenge is good for. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** The session that alone may answer it; empty where there is none yet. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly expiresAt: Instant;
  /** 43 characters of base64url that only this installation can compute; another text for each label. */
  derive(label: string): string;
}

/**
 * Challenges that prove by themselves that this installation issued them, until when and for what. Nothing is kept of one until it is answered, so
 * asking for challenges costs no memory. Every gateway of the installation opens them.
 */
export interface SignedChallenges {
  /** At most 128 characters of base64url. */
  issue(use: ChallengeUse, expiresAt: Instant): string;
  /** `null` for a text that was not issued for this use, or that has expired. */
  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null;
}

/** A challenge that has been answered rightly. Each is taken once: a store keeps its hash until it expires. */
export interface AnsweredChallenge {
  readonly hash: TokenHash;
  readonly expiresAt: Instant;
}

/** What binds a callback to the browser that began; each is 43 characters of base64url, and only `state` and `nonce` reach the issuer. */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer that the operator has chosen. Both throw `IssuerFailure` when it does not answer within seconds or answers nonsense. */
export interface SignInIssuer {
  /** Where the browser proves to the issuer who uses it. */
  authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string>;
  /** Who the issuer says has come back, by the query of the callback; a refusal if it does not belong to these secrets, was used before or tells of one. */
  identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | IssuerRefusal>;
}

export interface IssuerAdmission {
  readonly subject: IssuerSubject;
  /** The person that a verified address of the issuer would make; `null` where the issuer vouches for none. */
  readonly newcomer: ({ readonly person: Person } & AddressVerified) | null;
  readonly signUp: SignUpPolicy;
  readonly challenge: AnsweredChallenge;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
}

/** `refused`: the challenge was used before, or the account of that address is closed to its owner. */
export type IssuerAdmissionOutcome =
  | { readonly outcome: 'admitted'; readonly personId: PersonId }
  | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' | 'refused' };

/** Who signs in by an issuer, as a store keeps it. Throws when the store is away. */
export interface IssuerRecords {
  /**
   * Takes the challenge, and finds the person of a subject. One that no person is linked to is linked as `decideIssuerAdmission` says; that, a new person and
   * a new account enter the audit trail in the same transaction. Of simultaneous first sign-ins of one subject exactly one links it, and all are admitted.
   */
  admit(admission: IssuerAdmission): Promise<IssuerAdmissionOutcome>;
}
