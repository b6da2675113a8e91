import type { AccountId, Brand, MachineId, PasskeyId, PersonId, SessionId, WebhookId } from '@tollgate/core';
import type { MachineSecret } from './machine-secret.js';

/** `mail_<id>`; appears in logs and in the Message-ID. */
export type MailId = Brand<string, 'MailId'>;

/** Generates unique ids and random secrets. */
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
  /** `hook_<id>` */
  webhookId(): WebhookId;
  /** `whsec_` and 40 letters and digits, from a cryptographic source. They are also the Base64 of 30 bytes. */
  webhookSecret(): string;
}
