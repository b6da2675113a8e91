import type { Mail } from './mail.js';

export interface Mailer {
  /**
   * Idempotent by reference. Resolves when the message is stored, not when it is delivered. Throws `MailRefused` if it is
   * malformed or too large, or if too many messages are waiting.
   */
  send(mail: Mail): Promise<void>;
}
