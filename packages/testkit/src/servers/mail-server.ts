import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A self-signed certificate for `localhost`, valid for 100 years, and its key. Only for tests, because everybody can read the key. */
export const LOCALHOST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBuzCCAWGgAwIBAgIUPippmvi5xY21mdwroAhK5fiu2VAwCgYIKoZIzj0EAwIw
JDEiMCAGA1UEAwwZVG9sbGdhdGUgdGVzdCBjZXJ0aWZpY2F0ZTAgFw0yNjExMjIx
OTE0MjRaGA8yMTI2MTAyOTE5MTQyNFowJDEiMCAGA1UEAwwZVG9sbGdhdGUgdGVz
dCBjZXJ0aWZpY2F0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLb/kSSjpIGa
ulERWTDmYyloQsaoyiIAEnGDb3BJ4HrPrwFlq70VejmitBR4cCh9ijT05EbZF8av
wqcrUpa3t2KjbzBtMB0GA1UdDgQWBBS2pdQHG0NSVAbVzqXvIHjAMFwjYTAfBgNV
HSMEGDAWgBS2pdQHG0NSVAbVzqXvIHjAMFwjYTAaBgNVHREEEzARgglsb2NhbGhv
c3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAjvUc
5uVInSqyKiwd/6yJZh3Nea/QmGJaXLo+bWXFVWUCIDa7xASbZAQtglaoud3QFETJ
tBCV+7ouegwyiQdR+yyK
-----END CERTIFICATE-----
`;

export const LOCALHOST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPWj5RGncmtTsi1oN
nTF907Hdj/NoEAvpczL1Ib0dBYyhRANCAAS2/5Eko6SBmrpREVkw5mMpaELGqMoi
ABJxg29wSeB6z68BZau9FXo5orQUeHAofYo09ORG2RfGr8KnK1KWt7di
-----END PRIVATE KEY-----
`;

/** A message as a mail program parses it. */
export interface ReceivedMail {
  readonly raw: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** The value of the `Date` header, in Unix milliseconds. */
  readonly date: number;
  /** The names of the headers, in lower case. */
  readonly headerNames: readonly string[];
}

function textOf(addresses: { readonly text: string } | readonly { readonly text: string }[] | undefined): string {
  return [addresses ?? []].flat().map(({ text }) => text).join(', ');
}

export async function parseMail(raw: string): Promise<ReceivedMail> {
  const parsed = await simpleParser(raw);
  return {
    raw,
    from: textOf(parsed.from),
    to: textOf(parsed.to),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: typeof parsed.html === 'string' ? parsed.html : '',
    messageId: parsed.messageId ?? '',
    date: parsed.date?.getTime() ?? Number.NaN,
    headerNames: parsed.headerLines.map(({ key }) => key),
  };
}

interface SmtpRefusal {
  readonly code: number;
  readonly text: string;
}

export interface MailServerOptions {
  /** `starttls` offers STARTTLS, `tls` begins with TLS, and `none` offers no encryption. */
  readonly security: 'starttls' | 'tls' | 'none';
  /** `expired` is the certificate that smtp-server contains. */
  readonly certificate?: 'localhost' | 'expired';
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly port?: number;
  /** Returns the refusal of a recipient, or `null` to accept it. */
  readonly refuseRecipient?: (address: string) => SmtpRefusal | null;
  readonly refuseSender?: (address: string) => SmtpRefusal | null;
  /** Called for each message. The server acknowledges the message after the promise resolves. */
  readonly beforeAccepting?: (raw: string) => Promise<void>;
}

/** A message as received over SMTP. */
interface ReceivedEnvelope {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly encrypted: boolean;
}

function refusalError({ code, text }: SmtpRefusal): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** SMTP server on a free port of this machine. */
export class MailServer {
  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
    /** The completely received messages, also those that were not accepted. */
    readonly received: readonly ReceivedEnvelope[],
  ) {}

  static async start(options: MailServerOptions): Promise<MailServer> {
    const received: ReceivedEnvelope[] = [];
    const server = new SMTPServer({
      ...tlsOptions(options), ...authentication(options),
      // A client may have an open connection when a test closes the server.
      closeTimeout: 100, logger: false, disableReverseLookup: true,
      onMailFrom: ({ address }, _session, done) => done(refusedBy(options.refuseSender, address)),
      onRcptTo: ({ address }, _session, done) => done(refusedBy(options.refuseRecipient, address)),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          const { mailFrom, rcptTo } = session.envelope;
          received.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address), raw, encrypted: session.secure });
          void (options.beforeAccepting?.(raw) ?? Promise.resolve()).then(() => done());
        });
      },
    });
    // A client may disconnect in the middle of a message.
    server.on('error', () => undefined);
    const listener = server.listen(options.port ?? 0, '127.0.0.1');
    await once(listener, 'listening');
    return new MailServer(server, (listener.address() as AddressInfo).port, received);
  }

  mails(): Promise<readonly ReceivedMail[]> {
    return Promise.all(this.received.map(({ raw }) => parseMail(raw)));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

function refusedBy(refuse: ((address: string) => SmtpRefusal | null) | undefined, address: string): Error | null {
  const refusal = refuse?.(address) ?? null;
  return refusal === null ? null : refusalError(refusal);
}

function tlsOptions({ security, certificate = 'localhost' }: MailServerOptions): SMTPServerOptions {
  if (security === 'none') return { disabledCommands: ['STARTTLS'] };
  const own = certificate === 'localhost' ? { cert: LOCALHOST_CERTIFICATE, key: LOCALHOST_KEY } : {};
  return { secure: security === 'tls', ...own };
}

function authentication({ credentials, security }: MailServerOptions): SMTPServerOptions {
  if (credentials === undefined) return { authOptional: true };
  return {
    allowInsecureAuth: security === 'none',
    onAuth: ({ username, password }, _session, done) => {
      if (username === credentials.user && password === credentials.password) done(null, { user: username });
      else done(refusalError({ code: 535, text: 'Authentication failed' }));
    },
  };
}
