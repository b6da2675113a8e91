import type { AccountId, ApiKeyId, PasskeyId, PersonId, ProcessId, RequestId, ReservationId, SessionId } from '../ids.js';
import type { ApiKeySecret } from '../keys/api-key-secret.js';
import type { MailId } from '../mail/mail.js';

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
