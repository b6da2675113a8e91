import type { Instant } from '../time.js';
import type { AccountId, ApiKeyId, KeyHash, PasskeyId, PersonId, ProcessId, RequestId, ReservationId, SessionId, TokenHash } from '../primitives.js';
import type { ApiKeySecret } from '../keys/api-key.js';
import type { MailId } from '../mail/mail.js';
import type { Password } from '../people/password.js';
import type { TurnHolder } from '../people/fair-turns.js';
import type { OperatorAct } from './operator-controls.js';

/** Time as the core may know it. The system clock in production, a manual one in tests. */
export interface Clock {
  now(): Instant;
  /** Runs `task` once after `delayMilliseconds`, unless the returned function is called first. Never keeps a process alive. */
  schedule(delayMilliseconds: number, task: () => void): () => void;
}

/** Fresh identifiers; no two are ever the same. */
export interface IdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `key_<id>` */
  apiKeyId(): ApiKeyId;
  processId(): ProcessId;
  /** `req_<id>` */
  requestId(): RequestId;
  reservationId(): ReservationId;
  /** The prefix is the wire format's: `chatcmpl-<id>`, `msg_<id>`. */
  responseId(prefix: string): string;
}

/** Fresh secrets of API keys; no two are ever the same. */
export interface ApiKeySecretGenerator {
  /** 48 characters from a cryptographic source, each of the 62 equally likely. */
  apiKeySecret(): ApiKeySecret;
}

/** Fresh identifiers of people, of their accounts and of what they have; no two are ever the same. */
export interface IdentityIdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `mail_<id>` */
  mailId(): MailId;
  /** `passkey_<id>` */
  passkeyId(): PasskeyId;
  /** `person_<id>` */
  personId(): PersonId;
  /** `session_<id>` */
  sessionId(): SessionId;
}

export interface SecretHasher {
  hash(secret: ApiKeySecret): KeyHash;
}

/** A secret for one holder, and what is stored of it. */
export interface SecretToken {
  /** 32 bytes in base64url: 43 characters. */
  readonly text: string;
  readonly hash: TokenHash;
}

/** Secrets that links and cookies carry. */
export interface SecretTokens {
  issue(): SecretToken;
  hash(text: string): TokenHash;
}

/** `outdated`: right, and hashed with weaker parameters than today's. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/**
 * Makes stored passwords expensive to guess. Each method waits for the turn of its holder and throws `too_many_attempts`, with a time to try again,
 * where too much work waits: see `FairTurns`.
 */
export interface PasswordHasher {
  /** Throws as the other methods would. Asked before anything is looked up for a stranger's hash. */
  checkRoom(holder: TurnHolder): void;
  /** The text to store; it names its own parameters. */
  hash(password: Password, holder: TurnHolder): Promise<string>;
  /** `null` costs the same time as a stored hash, and is `wrong`: so response times do not reveal whether a person exists. */
  verify(password: Password, stored: string | null, holder: TurnHolder): Promise<PasswordVerdict>;
}

/** The passwords that people choose most often. */
export interface CommonPasswords {
  has(lowerCase: string): Promise<boolean>;
}

/** Signs what browsers keep, under keys of the installation's secret. */
export interface DeviceSigner {
  /** 22 characters of base64url. */
  sign(content: string): string;
  /** Also of the secret before the present one. */
  verify(content: string, signature: string): boolean;
}

/** Keyed hashes of mail addresses: the same for the same address for ever, and without the key they tell nothing of it. */
export interface AddressHashes {
  /** The address is folded. One hash under each key of the installation's secret, the one in force first. */
  of(email: string): readonly string[];
}

/** Values derived from an installation's secret. They tell secrets apart and reveal nothing about them. */
export interface SecretFingerprints {
  readonly current: string;
  /** Of the secret that the current one replaces; `null` outside a rotation. */
  readonly previous: string | null;
}

/** `other`: the store belongs to a secret that is neither the current nor the previous one. */
export type SecretClaim = 'recorded' | 'same' | 'rotated' | 'other';

/** Remembers in the store which secret its gateways share. */
export interface InstallationRegistry {
  /** `null` until the first gateway with a secret uses the store. */
  fingerprint(): Promise<string | null>;
  /**
   * Records the current fingerprint where there is none or the previous one, and changes nothing otherwise. Of several simultaneous
   * calls with different secrets on a new store, one records its own and the others get `other`. A rotation enters the audit trail.
   */
  claim(fingerprints: SecretFingerprints, by: OperatorAct): Promise<SecretClaim>;
  /** Lets the next claim record any secret, since the one before is lost. On record; `false` where none was recorded. */
  forget(by: OperatorAct): Promise<boolean>;
}
