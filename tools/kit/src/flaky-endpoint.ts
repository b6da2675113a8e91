import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a delivery. `lost`: fails without reaching the shop. `repeated`: reaches the shop, then fails. `doubled`: reaches the shop twice,
 * and fails if the shop refuses it.
 */
export type DeliveryFate = 'lost' | 'repeated' | 'doubled';

export interface ReceivedDelivery {
  readonly id: string;
  readonly account: string | null;
  readonly sequence: number | null;
  readonly fate: DeliveryFate;
  /** Statuses of the shop's replies: to a forged copy, and to each genuine one; 0 if there was no reply. */
  readonly forged: number;
  readonly passedOn: readonly number[];
}

interface EndpointOptions {
  /** Returns the address that the shop has at present. */
  readonly target: () => string;
  /** Returns what happens to the first attempt for an event; later attempts are doubled. */
  readonly fate: () => DeliveryFate;
}

const ACCEPTED = 202;
const COPIES: Readonly<Record<DeliveryFate, number>> = { lost: 0, repeated: 1, doubled: 2 };

/** An endpoint for webhooks in front of a shop. It loses, repeats, doubles and forges deliveries. */
export class FlakyEndpoint {
  readonly received: ReceivedDelivery[] = [];
  readonly #attempted = new Set<string>();

  private constructor(private readonly options: EndpointOptions, private readonly server: Server) {}

  static async start(options: EndpointOptions): Promise<FlakyEndpoint> {
    const server = createServer();
    const endpoint = new FlakyEndpoint(options, server);
    server.on('request', (req, res) => void endpoint.take(req, res));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = (await buffer(req)).toString();
    const { id, account_id: account, account_sequence: sequence } = JSON.parse(body) as { readonly id: string; readonly account_id: string | null; readonly account_sequence: number | null };
    const fate = this.#attempted.has(id) ? 'doubled' : this.options.fate();
    this.#attempted.add(id);
    const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => name.startsWith('webhook-'))) as Record<string, string>;
    const forged = await this.pass(body.replace(id, 'evt_forged'), headers);
    const passedOn: number[] = [];
    while (passedOn.length < COPIES[fate]) passedOn.push(await this.pass(body, headers));
    this.received.push({ id, account, sequence, fate, forged, passedOn });
    res.writeHead(fate === 'doubled' && passedOn.includes(ACCEPTED) ? 204 : 500).end();
  }

  private async pass(body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    try {
      const reply = await fetch(this.options.target(), { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
      await reply.text();
      return reply.status;
    } catch {
      return 0;
    }
  }
}
