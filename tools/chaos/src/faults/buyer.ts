import type { Acknowledged } from './payment-books.js';

const PACKAGE = 'simulated-5';
const HEARD_MILLISECONDS = 5_000;

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An owner who buys credit with a browser in the simulated checkout. The buyer does not repeat a request that gets no reply. */
export class Buyer {
  readonly #told = new Map<string, 'paid' | 'declined'>();
  #cookies = '';

  /** `token` is the token of a link that signs in once. */
  constructor(private readonly token: string) {}

  /** The provider's replies, by payment. */
  get acknowledged(): Acknowledged {
    return this.#told;
  }

  async signIn(gatewayUrl: string): Promise<void> {
    const reply = await this.send(gatewayUrl, 'POST', { path: '/auth/link', body: { token: this.token } });
    if (reply?.status !== 200) throw new Error(`the buyer could not sign in: ${JSON.stringify(reply)}`);
  }

  /** Starts a payment, and acts in its checkout. False if the payment could not be started. */
  async buy(gatewayUrl: string, act: 'pay' | 'decline'): Promise<boolean> {
    const started = await this.send(gatewayUrl, 'POST', { path: '/payments', body: { package: PACKAGE } });
    const { id, checkout_url: url } = started?.body ?? {};
    if (typeof id !== 'string' || typeof url !== 'string') return false;
    const reference = new URL(url).pathname.split('/').at(-1) ?? '';
    const acted = await this.send(gatewayUrl, 'POST', { path: `/simulated-checkouts/${reference}`, body: { act } });
    if (acted?.status === 200) this.#told.set(id, act === 'pay' ? 'paid' : 'declined');
    await this.send(gatewayUrl, 'GET', { path: `/payments/${id}` });
    return true;
  }

  /** Sends a request; resolves with `null` if there is no reply. */
  private async send(gatewayUrl: string, method: 'GET' | 'POST', { path, body }: { readonly path: string; readonly body?: unknown }): Promise<Reply | null> {
    const origin = gatewayUrl.replace('127.0.0.1', 'localhost');
    try {
      const reply = await fetch(`${origin}/dashboard/api${path}`, {
        method, headers: { origin, 'content-type': 'application/json', 'cookie': this.#cookies }, signal: AbortSignal.timeout(HEARD_MILLISECONDS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const set = reply.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
      if (set.length > 0 && path === '/auth/link') this.#cookies = set.join('; ');
      return { status: reply.status, body: await reply.json() as Reply['body'] };
    } catch {
      return null;
    }
  }
}
