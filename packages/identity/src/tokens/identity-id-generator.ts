import type { AccountId, Brand, PasskeyId, PersonId, SessionId } from '@tollgate/core';

/** `mail_<id>`: names one message in the outbox, in logs and in its Message-ID. */
export type MailId = Brand<string, 'MailId'>;

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
