import type { AuditedBy, CodeHash, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { BrowserStanding, FailureWarnings } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { StoredMail } from '../mail/mail.js';

/** A person's authenticator app as a store keeps it. */
export interface TotpRecord {
  /** Its secret, encrypted. */
  readonly sealed: string;
  readonly begunAt: Instant;
  /** `null` until the person has proved that their app makes the codes: until then it is no factor. */
  readonly confirmedAt: Instant | null;
}

/** What a person's proofs are judged by, read in one look. */
export interface FactorState {
  readonly totp: TotpRecord | null;
  readonly recoveryCodesLeft: number;
  readonly attempts: Readonly<Record<BrowserStanding, ProofAttempts>>;
}

/** What a right proof takes away or depends on; if that has changed by then, the proof was wrong. */
export type ProofSpend =
  /** The password is still the one that was proved. */
  | { readonly kind: 'password'; readonly provenHash: string }
  /** No code of this or a later step was ever taken. `resealed` takes the place of `sealed`, unless `null`. */
  | { readonly kind: 'totp'; readonly sealed: string; readonly step: number; readonly resealed: string | null }
  /** The code is one of those that are left. */
  | { readonly kind: 'recovery'; readonly codeHash: CodeHash }
  /** The app that was begun becomes a factor, and the person's recovery codes are these. */
  | { readonly kind: 'enrolment'; readonly sealed: string; readonly step: number; readonly codeHashes: readonly CodeHash[] };

export interface ProofCommand {
  readonly personId: PersonId;
  readonly sessionId: SessionId;
  /** Of the cookie that the proof came with. */
  readonly tokenHash: TokenHash;
  /** Takes its place if the proof is right. */
  readonly nextTokenHash: TokenHash;
  /** `null` for a proof that is wrong already. */
  readonly spend: ProofSpend | null;
  /** Of the browser that the proof came from. */
  readonly browser: BrowserStanding;
  /** Whether the session began by a mailed link. */
  readonly isConfirmed: boolean;
  /** Whether the session ends with the wrong code that is one too many, or after too many failures in a row. */
  readonly wrongEndsSession: boolean;
  /** Stored in the same transaction if the proof is right. */
  readonly notice: StoredMail | null;
  /** Of which one may be stored in the same transaction if the proof is wrong. */
  readonly warnings: FailureWarnings;
}

/** A sign-in with a wrong password. */
export interface WrongPassword {
  readonly personId: PersonId;
  readonly browser: BrowserStanding;
  /** Of which one may be stored in the same transaction. */
  readonly warnings: FailureWarnings;
}

export type ProofResult =
  /** `unconfirmed`: nothing was looked at, and the session has ended. */
  | { readonly outcome: 'proven' | 'refused' | 'ended' | 'unconfirmed' }
  | { readonly outcome: 'locked'; readonly until: Instant }
  /** The session has ended, or has another token by now; nothing was counted. */
  | { readonly outcome: 'not-signed-in' };

export interface BeginTotp {
  readonly personId: PersonId;
  readonly sealed: string;
  readonly at: Instant;
}

export interface ReplaceRecoveryCodes {
  readonly personId: PersonId;
  /** The secret that the hashes were keyed with; another one in its place refuses them. */
  readonly sealed: string;
  readonly codeHashes: readonly CodeHash[];
  readonly notice: StoredMail;
}

export interface RemoveTotp {
  readonly personId: PersonId;
  readonly notice: StoredMail;
}

/**
 * Second factors as a store keeps them. Changes of factors enter the audit trail and the outbox in the same transaction; a full outbox refuses none.
 * Throws when the store is away: a proof that cannot be judged is never a wrong one.
 */
export interface FactorRecords {
  find(personId: PersonId): Promise<FactorState>;
  /** Takes the place of one that was begun before. `false` when one is confirmed, or there is no such person. */
  beginTotp(command: BeginTotp): Promise<boolean>;
  /**
   * Judges a proof, once: of simultaneous calls with one code exactly one is `proven`. A right proof raises the session (but by a password to no
   * second factor), gives it its new token and forgets the wrong ones; a wrong one is counted. While proofs are locked a right one is refused too.
   */
  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult>;
  /** Counts one more failure, beside the wrong proofs in browsers of the same standing. */
  noteWrongPassword(wrong: WrongPassword): Promise<void>;
  /** `false` when the secret is not the present one. */
  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean>;
  /** With its recovery codes. Sessions of a person without any factor left are worth one. `false` when none is confirmed. */
  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean>;
}
