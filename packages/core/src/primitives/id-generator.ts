import type { AccountId, ApiKeyId, ProcessId, RequestId, ReservationId } from './primitives.js';

/** Every id is unique. */
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
