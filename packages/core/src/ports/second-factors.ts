import type { CodeHash, PersonId, SessionId, TokenHash } from '../primitives.js';
import type { Instant } from '../time.js';
import type { BrowserRequest, ProveOutcome, SignedIn } from './sessions.js';
import type { RecoveryCode, TotpCode } from '../people/second-factor.js';
import type { StoredMail } from '../mail/mail.js';
import type { BrowserStanding, FailureWarnings } from '../people/failures-in-a-row.js';
import type { ProofAttempts } from '../people/attempt-limits.js';
import type { AuditedBy } from './accounts.js';

/**
 * Why an act on factors was refused before anything was looked at. `unavailable`: this gateway has no secret, or another one than the factor
 * was encrypted under.
 */
export type FactorRefusal = 'not-signed-in' | 'second-factor-required' | 'fresh-proof-required' | 'unavailable';

export type BeginTotpOutcome =
  /** Shown once. */
  | { readonly outcome: 'begun'; readonly secret: string; readonly uri: string }
  | { readonly outcome: FactorRefusal | 'already-enrolled' };

export type ConfirmTotpOutcome =
  /** The recovery codes are shown once; the browser gets a new cookie. */
  | { readonly outcome: 'enrolled'; readonly recoveryCodes: readonly string[]; readonly signedIn: SignedIn; readonly setCookie: string }
  /** `nothing-begun`: or begun too long ago, or confirmed at the same time by another code. */
  | { readonly outcome: FactorRefusal | 'nothing-begun' }
  | Exclude<ProveOutcome, { readonly outcome: 'proven' }>;

export type RenewCodesOutcome =
  /** Shown once; those from before are worthless. */
  | { readonly outcome: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: FactorRefusal | 'not-enrolled' };

export type RemoveTotpOutcome = { readonly outcome: FactorRefusal | 'removed' | 'not-enrolled' };

/** What a person sees of their factors. */
export interface FactorOverview {
  /** When the authenticator app became a factor; `null` without one. */
  readonly totpSince: Instant | null;
  readonly recoveryCodesLeft: number;
}

/**
 * Authenticator apps and recovery codes. Each act wants a session that may do it and was freshly proved; each change is audited, and the person gets
 * mail about it. Throws when the store is away.
 */
export interface SecondFactors {
  overview(personId: PersonId): Promise<FactorOverview>;
  /** Makes a secret that is a factor only once a code of it was proved. */
  beginTotp(request: BrowserRequest, at: Instant): Promise<BeginTotpOutcome>;
  /** Raises the assurance of the session, like every other proof. Wrong codes count as in `Sessions.prove`. */
  confirmTotp(request: BrowserRequest, code: string, at: Instant): Promise<ConfirmTotpOutcome>;
  renewRecoveryCodes(request: BrowserRequest, at: Instant): Promise<RenewCodesOutcome>;
  /** With its recovery codes. */
  removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome>;
}

/** A secret as it was before it was sealed. */
export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** Sealed under the key before the present one, so it should be sealed again before that key is removed. */
  readonly outdated: boolean;
}

/** Encrypts what a store keeps and must be able to use again. */
export interface SecretSealer {
  /** What is sealed for one owner opens for no other. Two seals of one secret differ. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` when it was sealed for another owner or under a key that is not known here, or was changed. */
  open(sealed: string, owner: string): OpenedSecret | null;
}

/** A secret that is shared with an authenticator app. */
export interface TotpSecret {
  /** 20 random bytes. */
  readonly secret: Uint8Array;
  /** The same in base32, for an app that cannot scan. */
  readonly text: string;
  /** `otpauth://totp/…`, for a QR code. */
  readonly uri: string;
}

/** Codes of authenticator apps (RFC 6238: SHA-1, six digits, steps of 30 s). */
export interface TotpCodes {
  /** `issuer` and `account` are what the app shows. */
  issue(issuer: string, account: string): Promise<TotpSecret>;
  /** The number of the time step that the code is of: the present one, the one before or the next. `null` for any other code. */
  stepOf(secret: Uint8Array, code: TotpCode, at: Instant): Promise<number | null>;
}

/** Codes for the day when the authenticator app is gone. */
export interface RecoveryCodes {
  /** From a cryptographic source, each character equally likely. */
  issue(): RecoveryCode;
  /** Keyed, so that a stolen database alone does not let anyone try codes against it. */
  hash(secret: Uint8Array, code: RecoveryCode): CodeHash;
}

/** What second factors need of cryptography. */
export interface FactorCodes {
  readonly sealer: SecretSealer;
  readonly totp: TotpCodes;
  readonly recovery: RecoveryCodes;
}

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
