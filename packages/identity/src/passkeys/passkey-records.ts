import type { AuditedBy, Instant, PasskeyId, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { AnsweredChallenge } from '../challenges/signed-challenges.js';
import type { StoredMail } from '../mail/mail.js';
import type { StoredPasskey } from './passkey.js';

export interface NewPasskey extends StoredPasskey {
  readonly challenge: AnsweredChallenge;
  /**
   * Session of the registration. If it has ended or its token has changed, no passkey is added. Otherwise, its assurance is raised and its token
   * replaced.
   */
  readonly sessionId: SessionId;
  readonly tokenHash: TokenHash;
  readonly nextTokenHash: TokenHash;
  /** Stored in the same transaction; if the outbox is full, the passkey is added without it. */
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
  /** True allows removing the last second factor. */
  readonly evenIfLast: boolean;
  /** Stored in the same transaction. */
  readonly notice: StoredMail;
}

/** `known`: the credential is registered, for any person. `refused`: the challenge was used before, or the session has ended. */
export type AddPasskeyOutcome = 'added' | 'known' | 'too-many' | 'refused';
export type RemovePasskeyOutcome = 'removed' | 'last-factor' | 'no-such-passkey';

/** Audits additions and removals in the same transaction. Throws if the store is unavailable. */
export interface PasskeyRecords {
  /** Adds a passkey, consumes the challenge and raises the session's assurance. */
  add(passkey: NewPasskey, by: AuditedBy): Promise<AddPasskeyOutcome>;
  /** The person's passkeys, oldest first. */
  list(personId: PersonId): Promise<readonly StoredPasskey[]>;
  findByCredential(credentialId: string): Promise<StoredPasskey | null>;
  /**
   * Records a sign-in: consumes the challenge, updates counter and time. False, without effect, if the challenge was used before, the counter does
   * not advance, or the passkey no longer exists.
   */
  use(use: PasskeyUse): Promise<boolean>;
  /** False if the person has no such passkey. */
  rename(personId: PersonId, id: PasskeyId, name: string): Promise<boolean>;
  /** If the person has no other factor, the person's sessions then count as having proved one factor. */
  remove(removal: PasskeyRemoval, by: AuditedBy): Promise<RemovePasskeyOutcome>;
}
