import type { AccountId, Brand, MachineId, PasskeyId, PersonId, SessionId } from '@tollgate/core';
import type { MachineSecret } from './machine-secret.js';

/** `mail_<id>`. Appears in logs and in the Message-ID. */
export type MailId = Brand<string, 'MailId'>;

/** Every id is unique. */
export interface IdentityIdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `mach_<id>` */
  machineId(): MachineId;
  /** From a cryptographic source, uniform over letters and digits. */
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
