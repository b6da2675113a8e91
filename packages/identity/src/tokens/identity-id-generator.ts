import type { AccountId, Brand, MachineId, PasskeyId, PersonId, SessionId } from '@tollgate/core';
import type { MachineSecret } from './machine-secret.js';

/** `mail_<id>`. In logs and in the Message-ID. */
export type MailId = Brand<string, 'MailId'>;

/** Ids are unique. */
export interface IdentityIdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `mach_<id>` */
  machineId(): MachineId;
  /** Uniform over letters and digits, from a cryptographic source. */
  machineSecret(): MachineSecret;
  /** `mail_<id>` */
  mailId(): MailId;
  /** `passkey_<id>` */
  passkeyId(): PasskeyId;
  /** `person_<id>` */
  personId(): PersonId;
  /** `session_<id>` */
  sessionId(): SessionId;
}
