import type { AccountId, AccountNoteId, ApiKeyId, ProcessId, RequestId, ReservationId } from './ids.js';

/** Ids are unique. */
export interface IdGenerator {
  /** `acct_<id>` */
  accountId(): AccountId;
  /** `note_<id>` */
  accountNoteId(): AccountNoteId;
  /** `key_<id>` */
  apiKeyId(): ApiKeyId;
  processId(): ProcessId;
  /** `req_<id>` */
  requestId(): RequestId;
  reservationId(): ReservationId;
  /** A new id after this prefix: `chatcmpl-<id>`, `msg_<id>`, `call_<id>`. */
  responseId(prefix: string): string;
}
