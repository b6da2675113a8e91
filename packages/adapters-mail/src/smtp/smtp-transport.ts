import type { MailFailure, MailOutcome, MailTransport, OutgoingMail } from '@tollgate/core';
import { createTransport, type SMTPPoolOptions } from 'nodemailer';
import type { SmtpSettings } from '../mail-settings.js';
import { messageOptions } from '../message/message-options.js';
import { smtpFailure } from './smtp-failure.js';
import { SmtpSockets } from './smtp-sockets.js';

const CONNECT_MILLISECONDS = 5000;
const GREETING_MILLISECONDS = 5000;
/** Silence in the middle of a conversation. */
const SOCKET_MILLISECONDS = 30_000;
const MOST_CONNECTIONS = 2;
/** Servers end connections that bring too many. */
const MOST_MAILS_OF_A_CONNECTION = 50;

function poolOptions({ host, port, security, credentials }: SmtpSettings, sockets: SmtpSockets): SMTPPoolOptions & { readonly pool: true } {
  return {
    pool: true,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    maxConnections: MOST_CONNECTIONS,
    maxMessages: MOST_MAILS_OF_A_CONNECTION,
    // The outbox tries again, and knows how often.
    maxRequeues: 0,
    greetingTimeout: GREETING_MILLISECONDS,
    socketTimeout: SOCKET_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, done) => {
      sockets.connect().then((connection) => done(null, { connection }), (error: Error) => done(error));
    },
  };
}

/** Delivers over SMTP. Certificates are checked, and without TLS nothing is sent unless the settings say so. */
export class SmtpTransport implements MailTransport {
  private readonly sockets: SmtpSockets;
  private readonly pool;

  constructor(private readonly settings: SmtpSettings) {
    this.sockets = new SmtpSockets(settings, CONNECT_MILLISECONDS);
    this.pool = createTransport(poolOptions(settings, this.sockets));
  }

  async deliver(mail: OutgoingMail): Promise<MailOutcome> {
    const { host, port, from } = this.settings;
    try {
      await this.pool.sendMail(messageOptions(mail, from));
      return { outcome: 'delivered', place: `${host}:${port}` };
    } catch (thrown) {
      return smtpFailure(thrown);
    }
  }

  /** Connects and signs in, and sends nothing; `null` where that succeeds. */
  async verify(): Promise<MailFailure | null> {
    try {
      await this.pool.verify();
      return null;
    } catch (thrown) {
      const outcome = smtpFailure(thrown);
      return outcome.outcome === 'delivered' ? null : outcome.failure;
    }
  }

  async close(): Promise<void> {
    this.pool.close();
    this.sockets.destroyAll();
  }
}
