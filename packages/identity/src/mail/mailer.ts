import type { Mail } from './mail.js';

/** Takes messages for delivery. */
export interface Mailer {
  /**
   * Hands a message over, once per reference: repeating a reference changes nothing. Resolves when the message is stored, not when it is delivered.
   * Throws `MailRefused` when it is malformed, too large, or too many messages wait.
   */
  send(mail: Mail): Promise<void>;
}
