import type { AuditedBy, CodeHash, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { BrowserStanding, FailureWarnings } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { StoredMail } from '../mail/mail.js';

export interface TotpRecord {
  /** The app's secret, encrypted. */
  readonly sealed: string;
  readonly begunAt: Instant;
  /** `null` until a code of the app was entered; before that, the app is not a factor. */
  readonly confirmedAt: Instant | null;
}

/** What is needed to judge a person's proofs, in one read. */
export interface FactorState {
  readonly totp: TotpRecord | null;
  readonly recoveryCodesLeft: number;
  readonly attempts: Readonly<Record<BrowserStanding, ProofAttempts>>;
}

/** What a successful proof consumes or depends on. If that has changed, the proof fails. */
export type ProofSpend =
  /** Valid only if the password still has this hash. */
  | { readonly kind: 'password'; readonly provenHash: string }
  /** Valid only if no code of this or a later step was accepted. `resealed` replaces `sealed` unless `null`. */
  | { readonly kind: 'totp'; readonly sealed: string; readonly step: number; readonly resealed: string | null }
  /** Valid only if the code is unused. */
  | { readonly kind: 'recovery'; readonly codeHash: CodeHash }
  /** Confirms the new app and replaces the recovery codes. */
  | { readonly kind: 'enrolment'; readonly sealed: string; readonly step: number; readonly codeHashes: readonly CodeHash[] };

export interface ProofCommand {
  readonly personId: PersonId;
  readonly sessionId: SessionId;
  /** Hash of the token in the proof's session cookie. */
  readonly tokenHash: TokenHash;
  /** Replaces `tokenHash` after a success. */
  readonly nextTokenHash: TokenHash;
  /** `null` for a proof already known to be wrong. */
  readonly spend: ProofSpend | null;
  readonly browser: BrowserStanding;
  /** True if the session began with a mailed link. */
  readonly isConfirmed: boolean;
  /** True if too many wrong proofs or consecutive failures end the session. */
  readonly wrongEndsSession: boolean;
  /** Stored in the same transaction on success. */
  readonly notice: StoredMail | null;
  /** The warning that is due is stored in the same transaction on failure. */
  readonly warnings: FailureWarnings;
}

export interface WrongPassword {
  readonly personId: PersonId;
  readonly browser: BrowserStanding;
  /** The warning that is due is stored in the same transaction. */
  readonly warnings: FailureWarnings;
}

export type ProofResult =
  /** `unconfirmed`: the session has ended, without an examination of the proof. */
  | { readonly outcome: 'proven' | 'refused' | 'ended' | 'unconfirmed' }
  | { readonly outcome: 'locked'; readonly until: Instant }
  /** The session has ended or its token has changed; nothing was counted. */
  | { readonly outcome: 'not-signed-in' };

export interface BeginTotp {
  readonly personId: PersonId;
  readonly sealed: string;
  readonly at: Instant;
}

export interface ReplaceRecoveryCodes {
  readonly personId: PersonId;
  /** The sealed secret that is the key of the hashes; the codes are refused if it has changed. */
  readonly sealed: string;
  readonly codeHashes: readonly CodeHash[];
  readonly notice: StoredMail;
}

export interface RemoveTotp {
  readonly personId: PersonId;
  readonly notice: StoredMail;
}

/**
 * Audits changes and stores their notices in the same transaction; if the outbox is full, the change is made without its notice. Throws if the store
 * is unavailable: a proof that could not be judged never counts as wrong.
 */
export interface FactorRecords {
  find(personId: PersonId): Promise<FactorState>;
  /** Replaces an unconfirmed app. False if an app is confirmed or the person does not exist. */
  beginTotp(command: BeginTotp): Promise<boolean>;
  /**
   * Exactly one of concurrent calls with one code is `proven`. A success replaces the session's token and, unless `forgetsWrongProofs` is false,
   * resets the failures; a proof other than a password also raises the session's assurance. A failure is counted, unless `isOvertaken`. While proofs
   * are locked, correct proofs are refused too.
   */
  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult>;
  /** Counts a failure, together with the wrong proofs of the same browser standing. */
  noteWrongPassword(wrong: WrongPassword): Promise<void>;
  /** False if the secret has changed. */
  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean>;
  /**
   * Also removes the recovery codes. If the person has no other factor, the person's sessions then count as having proved one factor. False if no app
   * is confirmed.
   */
  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean>;
}
