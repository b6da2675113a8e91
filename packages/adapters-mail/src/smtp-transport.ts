import { connect, type Socket } from 'node:net';
import type { MailFailure, MailOutcome, MailPicture, MailTransport, OutgoingMail } from '@tollgate/identity';
import { createTransport, type SMTPPoolOptions } from 'nodemailer';
import { errorOf, messageOptions, type SmtpSettings, type ThrownError } from './open-mail-transport.js';

export interface SmtpServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Tracks a transport's sockets, so that active ones can be closed; nodemailer's pool leaves them open. */
class SmtpSockets {
  readonly #open = new Set<Socket>();

  constructor(private readonly address: SmtpServerAddress, private readonly connectMilliseconds: number) {}

  connect(): Promise<Socket> {
    const socket = connect(this.address);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(timeoutError()), this.connectMilliseconds);
      socket.once('error', reject);
      socket.once('close', () => {
        clearTimeout(timer);
        reject(closedError());
      });
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

function timeoutError(): Error {
  return Object.assign(new Error('timed out while connecting to the server'), { code: 'ETIMEDOUT' });
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNECTION' });
}

const CONNECT_MILLISECONDS = 5000;
const GREETING_MILLISECONDS = 5000;
/** Maximum time that a connection may be silent. */
const SOCKET_MILLISECONDS = 30_000;
const MAX_CONNECTIONS = 2;
/** A connection is replaced after this many messages, because servers close connections that deliver too many. */
const MAX_MAILS_OF_A_CONNECTION = 50;

function poolOptions({ host, port, security, credentials }: SmtpSettings, sockets: SmtpSockets): SMTPPoolOptions & { readonly pool: true } {
  return {
    pool: true,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MAILS_OF_A_CONNECTION,
    // The outbox repeats deliveries, so the library must not.
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

/** Verifies certificates. Requires TLS unless `security` is `none`. */
export class SmtpTransport implements MailTransport {
  private readonly sockets: SmtpSockets;
  private readonly pool;

  constructor(private readonly settings: SmtpSettings, private readonly picture: MailPicture | null = null) {
    this.sockets = new SmtpSockets(settings, CONNECT_MILLISECONDS);
    this.pool = createTransport(poolOptions(settings, this.sockets));
  }

  async deliver(mail: OutgoingMail): Promise<MailOutcome> {
    const { host, port, from } = this.settings;
    try {
      await this.pool.sendMail(messageOptions(mail, from, this.picture));
      return { outcome: 'delivered', place: `${host}:${port}` };
    } catch (thrown) {
      return smtpFailure(thrown);
    }
  }

  /** Connects and authenticates; `null` for success. */
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

/** An error of nodemailer. */
interface SmtpError extends ThrownError {
  /** The system's or OpenSSL's code. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

const PERMANENT_FROM = 500;
/** A refusal of these commands concerns the message. Refusals of the sender, credentials or TLS concern the gateway's settings. */
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** RFC 3463, for example `550 5.1.1 User unknown`. */
const ENHANCED_CODE = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;

/**
 * nodemailer's code for missing encryption. It is reported instead of the response code of a server without STARTTLS, which does not name the cause.
 */
const NO_ENCRYPTION = 'ETLS';

function codeOf({ code, originalCode, responseCode, response }: SmtpError): string {
  if (responseCode === undefined || code === NO_ENCRYPTION) return originalCode ?? code ?? 'unknown';
  const enhanced = ENHANCED_CODE.exec(response ?? '')?.[1];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}

/** The reason of the failure, and whether a repetition may succeed. */
function smtpFailure(thrown: unknown): MailOutcome {
  const error: SmtpError = errorOf(thrown);
  const failure: MailFailure = { code: codeOf(error), explanation: error.message };
  const isPermanent = (error.responseCode ?? 0) >= PERMANENT_FROM && ABOUT_THE_MESSAGE.has(error.command ?? '');
  return { outcome: isPermanent ? 'refused' : 'failed', failure };
}
