import type { AuditedBy, Instant, PasskeyId, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { AnsweredChallenge } from '../challenges/signed-challenges.js';
import type { StoredMail } from '../mail/mail.js';
import type { StoredPasskey } from './passkey.js';

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
