import type { Instant } from '../time.js';
import type { AccountId, ApiKeyId, KeyHash, PasskeyId, PersonId, ProcessId, RequestId, ReservationId, SessionId, TokenHash } from '../primitives.js';
import type { ApiKeySecret } from '../keys/api-key.js';
import type { MailId } from '../mail/mail.js';
import type { Password } from '../people/password.js';
import type { OperatorAct } from './operator-controls.js';

/** Time as the core may know it. The system clock in production, a manual one in tests. */
export interface Clock {
  now(): Instant;
  /** Runs `task` once after `delayMilliseconds`, unless the returned function is called first. Never keeps a process alive. */
  schedule(delayMilliseconds: number, task: () => void): () => void;
}

/** Fresh identifiers and secrets; no two are ever the same. */
export interface IdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `key_<id>` */
  apiKeyId(): ApiKeyId;
  /** 48 characters from a cryptographic source, each of the 62 equally likely. */
  apiKeySecret(): ApiKeySecret;
  /** `mail_<id>` */
  mailId(): MailId;
  /** `passkey_<id>` */
  passkeyId(): PasskeyId;
  /** `person_<id>` */
  personId(): PersonId;
  processId(): ProcessId;
  /** `req_<id>` */
  requestId(): RequestId;
  reservationId(): ReservationId;
  /** `session_<id>` */
  sessionId(): SessionId;
  /** The prefix is the wire format's: `chatcmpl-<id>`, `msg_<id>`. */
  responseId(prefix: string): string;
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
 * Makes stored passwords expensive to guess. Where too many wait for their turn, each method waits for room for a second and then throws
 * `server_busy` with a time to try again: clients that send on without being served lose time, and cost little.
 */
export interface PasswordHasher {
  /** Resolves when there is room. Asked before anything is looked up for a hash. */
  room(): Promise<void>;
  /** The text to store; it names its own parameters. */
  hash(password: Password): Promise<string>;
  /** `null` costs the same time as a stored hash, and is `wrong`: so response times do not reveal whether a person exists. */
  verify(password: Password, stored: string | null): Promise<PasswordVerdict>;
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
