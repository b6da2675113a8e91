import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { Mail } from './mail.js';

/** `id` and `storedAt` determine Message-ID and Date: the recipient's server can detect duplicates. */
export type OutgoingMail = Omit<Mail, 'reference' | 'rank' | 'kind' | 'accountId'> & { readonly id: MailId; readonly storedAt: Instant };

export interface MailFailure {
  /** Code for logs: the kind of failure or the server's numeric codes, such as `ECONNREFUSED` or `550 5.1.1`. */
  readonly code: string;
  /** The server's full reply. For the sender only: it may contain the address or parts of the message. */
  readonly explanation: string;
}

export type MailOutcome =
  /** `place`: server or file, never an address. */
  | { readonly outcome: 'delivered'; readonly place: string }
  /** A permanent failure. */
  | { readonly outcome: 'refused'; readonly failure: MailFailure }
  /** A temporary failure. */
  | { readonly outcome: 'failed'; readonly failure: MailFailure };

export interface MailTransport {
  /** Never rejects: network, server and disk failures are outcomes. */
  deliver(mail: OutgoingMail): Promise<MailOutcome>;
  /** Closes all connections, including active ones. */
  close(): Promise<void>;
}
