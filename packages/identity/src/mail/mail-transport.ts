import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { Mail } from './mail.js';

/** `id` and `storedAt` determine Message-ID and Date, so that a recipient's server can detect duplicates. */
export type OutgoingMail = Omit<Mail, 'reference' | 'rank'> & { readonly id: MailId; readonly storedAt: Instant };

export interface MailFailure {
  /** For logs: the kind of failure and the server's numeric codes, such as `ECONNREFUSED` or `550 5.1.1`. */
  readonly code: string;
  /** The server's full reply. It may contain the address or parts of the message, so only the sender may see it. */
  readonly explanation: string;
}

export type MailOutcome =
  /** `place` is a server or a file, never an address. */
  | { readonly outcome: 'delivered'; readonly place: string }
  /** Permanent. */
  | { readonly outcome: 'refused'; readonly failure: MailFailure }
  /** Temporary. */
  | { readonly outcome: 'failed'; readonly failure: MailFailure };

export interface MailTransport {
  /** Network, server and disk failures are outcomes; it does not reject. */
  deliver(mail: OutgoingMail): Promise<MailOutcome>;
  /** Closes all connections, including active ones. */
  close(): Promise<void>;
}
