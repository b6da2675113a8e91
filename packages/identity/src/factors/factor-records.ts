import type { AuditedBy, CodeHash, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { BrowserStanding, FailureWarnings } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { StoredMail } from '../mail/mail.js';

export interface TotpRecord {
  /** The encrypted secret. */
  readonly sealed: string;
  readonly begunAt: Instant;
  /** `null` until the person has entered a code of the app; it is not a factor before. */
  readonly confirmedAt: Instant | null;
}

/** Everything needed to judge a person's proofs, from one read. */
export interface FactorState {
  readonly totp: TotpRecord | null;
  readonly recoveryCodesLeft: number;
  readonly attempts: Readonly<Record<BrowserStanding, ProofAttempts>>;
}

/** What a successful proof consumes or depends on. The proof fails if this has changed. */
export type ProofSpend =
  /** The password still has this hash. */
  | { readonly kind: 'password'; readonly provenHash: string }
  /** No code of this or a later step was accepted before. `resealed` replaces `sealed` unless it is `null`. */
  | { readonly kind: 'totp'; readonly sealed: string; readonly step: number; readonly resealed: string | null }
  /** The code has not been used. */
  | { readonly kind: 'recovery'; readonly codeHash: CodeHash }
  /** Confirms the new app and replaces the recovery codes. */
  | { readonly kind: 'enrolment'; readonly sealed: string; readonly step: number; readonly codeHashes: readonly CodeHash[] };

export interface ProofCommand {
  readonly personId: PersonId;
  readonly sessionId: SessionId;
  /** Of the session cookie that came with the proof. */
  readonly tokenHash: TokenHash;
  /** Replaces it if the proof succeeds. */
  readonly nextTokenHash: TokenHash;
  /** `null` for a proof that is already known to be wrong. */
  readonly spend: ProofSpend | null;
  readonly browser: BrowserStanding;
  /** True if the session began with a mailed link. */
  readonly isConfirmed: boolean;
  /** True if too many wrong codes, or too many consecutive failures, end the session. */
  readonly wrongEndsSession: boolean;
  /** Stored in the same transaction if the proof succeeds. */
  readonly notice: StoredMail | null;
  /** If the proof fails, the one that is due is stored in the same transaction. */
  readonly warnings: FailureWarnings;
}

export interface WrongPassword {
  readonly personId: PersonId;
  readonly browser: BrowserStanding;
  /** The one that is due is stored in the same transaction. */
  readonly warnings: FailureWarnings;
}

export type ProofResult =
  /** `unconfirmed`: the proof was not examined, and the session has ended. */
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
  /** The secret that the hashes are keyed with; the codes are refused if it has changed. */
  readonly sealed: string;
  readonly codeHashes: readonly CodeHash[];
  readonly notice: StoredMail;
}

export interface RemoveTotp {
  readonly personId: PersonId;
  readonly notice: StoredMail;
}

/**
 * Changes of factors are audited, and their notices stored, in the same transaction; a full outbox does not prevent them. Throws
 * if the store is unavailable, so that an unjudged proof never counts as wrong.
 */
export interface FactorRecords {
  find(personId: PersonId): Promise<FactorState>;
  /** Replaces an unconfirmed app. False if one is confirmed or the person does not exist. */
  beginTotp(command: BeginTotp): Promise<boolean>;
  /**
   * Of concurrent calls with one code, exactly one is `proven`. A successful proof raises the session's assurance (a password
   * only up to one factor), replaces its token and resets the failures; a wrong one is counted. While proofs are locked, a right
   * one is refused too.
   */
  prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult>;
  /** Counts a failure together with the wrong proofs of the same browser standing. */
  noteWrongPassword(wrong: WrongPassword): Promise<void>;
  /** False if the secret has changed. */
  replaceRecoveryCodes(command: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean>;
  /** Also removes the recovery codes. If no factor is left, the person's sessions count as one factor. False if no app is confirmed. */
  removeTotp(command: RemoveTotp, by: AuditedBy): Promise<boolean>;
}
