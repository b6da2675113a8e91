import type { AccountId, Brand, PasskeyId, PersonId, SessionId } from '@tollgate/core';

/** `mail_<id>`. Appears in logs and in the Message-ID. */
export type MailId = Brand<string, 'MailId'>;

/** Every id is unique. */
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
