import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '@tollgate/testkit/mail-server';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly account_id: string | null; readonly account_sequence: number | null };
}

type Answering = (received: ReceivedWebhook, res: ServerResponse) => void;

/** A server of a customer that keeps what it receives. Answers 204 by default. Close it after the test. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Requests that wait for their answer: now, and the maximum so far. */
  open = 0;
  mostOpen = 0;
  connections = 0;
  answering: Answering = (_received, res) => void res.writeHead(204).end();

  private constructor(private readonly server: Server, private readonly scheme: 'http' | 'https') {
    server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(scheme: 'http' | 'https' = 'http'): Promise<WebhookReceiver> {
    const listener: RequestListener = (req, res) => void receiver.take(req, res);
    const server = scheme === 'http' ? createServer(listener) : createSecureServer({ key: LOCALHOST_KEY, cert: LOCALHOST_CERTIFICATE }, listener);
    const receiver = new WebhookReceiver(server, scheme);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.scheme}://${this.scheme === 'http' ? '127.0.0.1' : 'localhost'}:${this.port}/hook`;
  }

  get types(): readonly string[] {
    return this.received.map(({ event: { type } }) => type);
  }

  sequencesOf(accountId: string): readonly (number | null)[] {
    return this.received.filter(({ event }) => event.account_id === accountId).map(({ event }) => event.account_sequence);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    res.once('close', () => {
      this.open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const received = { headers: req.headers, body, event: JSON.parse(body) as ReceivedWebhook['event'] };
    this.received.push(received);
    this.answering(received, res);
  }
}

/** Checks the signature with the official library. */
export function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
