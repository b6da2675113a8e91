import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A self-signed certificate for 127.0.0.1, valid for 100 years, and its key. The key is public, so both are for tests only. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBsTCCAVagAwIBAgIUVD94tvlZt8BGqoUWL+2ZE/ewgggwCgYIKoZIzj0EAwIw
JDEiMCAGA1UEAwwZVG9sbGdhdGUgdGVzdCBjZXJ0aWZpY2F0ZTAgFw0yNjExMjkw
MTUyNThaGA8yMTI2MTEwNTAxNTI1OFowJDEiMCAGA1UEAwwZVG9sbGdhdGUgdGVz
dCBjZXJ0aWZpY2F0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF1IQPTZVybE
ULDeq8HlPRreK+EsOugSymba77nQ99XkHJMr5cicARLyjZPFKQGrMSZw5y4CRN3s
rES1jG78JbujZDBiMB0GA1UdDgQWBBR8xz7XRstmu7/XTH5pHUATYhjMhzAfBgNV
HSMEGDAWgBR8xz7XRstmu7/XTH5pHUATYhjMhzAPBgNVHRMBAf8EBTADAQH/MA8G
A1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhANzmR+N1q/9/5dJwqyao
78xpwW0uj7EFEE+wB0RZjck1AiEAri+5AzdekWN9m8L3ESo+CiFSuQHw+2ShXE4x
44s//K0=
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8PZ16g0gS67684dW
T1+W6IKFiHGnmlFtm+WYIbbh51mhRANCAARdSED02VcmxFCw3qvB5T0a3ivhLDro
Espm2u+50PfV5ByTK+XInAES8o2TxSkBqzEmcOcuAkTd7KxEtYxu/CW7
-----END PRIVATE KEY-----
`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The reply that the receiver sends. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A customer's server on 127.0.0.1. While a receiver with HTTPS is open, this process trusts its certificate. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: Answer = { status: 200, text: 'thanks' };

  private constructor(private readonly server: Server, readonly scheme: 'http' | 'https', private readonly trusted: readonly string[]) {
    server.on('request', (req: IncomingMessage, res: ServerResponse) => void this.#take(req, res));
  }

  static async start(scheme: 'http' | 'https'): Promise<WebhookReceiver> {
    const trusted = getCACertificates('default');
    const server = scheme === 'http' ? createServer() : createSecureServer({ key: KEY, cert: CERTIFICATE });
    const receiver = new WebhookReceiver(server, scheme, trusted);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    if (scheme === 'https') setDefaultCACertificates([...trusted, CERTIFICATE]);
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.scheme}://${this.host}/hook`;
  }

  get types(): readonly string[] {
    return this.received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);
  }

  async close(): Promise<void> {
    if (this.scheme === 'https') setDefaultCACertificates([...this.trusted]);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    this.received.push({ headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
    res.writeHead(this.answer.status).end(this.answer.text);
  }
}

/** True if the delivery is signed as Standard Webhooks specifies: with an HMAC-SHA256 of id, time and body. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}
