import type { Instant } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { Mail } from './mail.js';

/** A message on its way. The same id and time give the same Message-ID and Date, so that a recipient's server can recognise a repetition. */
export type OutgoingMail = Omit<Mail, 'reference' | 'rank'> & { readonly id: MailId; readonly storedAt: Instant };

/** Why a message was not delivered. */
export interface MailFailure {
  /** What logs may show: the kind of failure and the server's numeric codes, such as `ECONNREFUSED` or `550 5.1.1`. */
  readonly code: string;
  /** The reply in full. It may repeat the address or parts of the message, so it is for the sender's eyes only. */
  readonly explanation: string;
}

export type MailOutcome =
  /** `place` says where the message went: a server or a file; never an address. */
  | { readonly outcome: 'delivered'; readonly place: string }
  /** The server refuses this message for good. */
  | { readonly outcome: 'refused'; readonly failure: MailFailure }
  /** A later attempt may succeed. */
  | { readonly outcome: 'failed'; readonly failure: MailFailure };

/** Delivers messages to where the settings say. */
export interface MailTransport {
  /** Never rejects because of the network, a server or a disk: that is an outcome. */
  deliver(mail: OutgoingMail): Promise<MailOutcome>;
  /** Closes its connections, also those in use. */
  close(): Promise<void>;
}
