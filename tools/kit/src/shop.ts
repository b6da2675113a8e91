import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.js';
import { ROOT } from './tool.js';

/** Scopes that the machine of the shop needs. */
export const SHOP_SCOPES = ['accounts:write', 'money:write', 'events:read', 'usage:read', 'sign-in:write'] as const;
const OPEN = /The shop is open at (\S+)/;

export interface ShopOptions {
  /** Folder for the shop's books and its log. */
  readonly folder: string;
  readonly gatewayUrl: string;
  /** Secret of the shop's machine. */
  readonly machine: string;
  readonly pollMilliseconds: number;
  /** Secret of the webhook that wakes the shop. Without it, the shop only reads the feeds at intervals. */
  readonly webhookSecret?: string;
  /** Plan of the shop's customers; default: that of the gateway. */
  readonly plan?: string;
}

/** The books that the shop has stored. Amounts are decimal texts. */
export interface ShopBooks {
  readonly customers: Readonly<Record<string, { readonly status: string }>>;
  readonly orders: Readonly<Record<string, { readonly customer: string; readonly svc_tokens: string; readonly status: string }>>;
  readonly unanswered: readonly unknown[];
  readonly accounts: Readonly<Record<string, { readonly customer: string | null; readonly sequence: number; readonly balance: string }>>;
}

/** The program of `examples/shop`. After a kill, it can be opened again with the same books. */
export class Shop {
  #child: Child | null = null;
  #url = '';

  constructor(private readonly options: ShopOptions) {}

  /** Starts the shop; resolves when it takes orders. */
  async open(): Promise<void> {
    const { folder, gatewayUrl, machine, pollMilliseconds, webhookSecret, plan } = this.options;
    this.#child = Child.start({
      name: 'the shop', command: process.execPath, argv: [join(ROOT, 'examples/shop/shop.mjs')], folder, logFile: join(folder, 'shop.log'),
      environment: {
        TOLLGATE_URL: gatewayUrl, TOLLGATE_MACHINE: machine, SHOP_PORT: '0', POLL_MILLISECONDS: String(pollMilliseconds),
        ...(webhookSecret === undefined ? {} : { WEBHOOK_SECRET: webhookSecret }), ...(plan === undefined ? {} : { PLAN: plan }),
      },
    });
    [, this.#url = ''] = await this.#child.printed(OPEN);
  }

  get url(): string {
    return this.#url;
  }

  get webhookUrl(): string {
    return `${this.#url}/webhooks`;
  }

  async kill(): Promise<void> {
    this.#child?.kill();
    await this.#child?.ended;
  }

  /** Sends a customer or an order to the shop; resolves with the status. */
  async post(page: '/customers' | '/orders', body: Readonly<Record<string, string>>): Promise<number> {
    const reply = await fetch(`${this.#url}${page}`, { method: 'POST', body: JSON.stringify(body) });
    await reply.text();
    return reply.status;
  }

  /** The books as the shop has stored them last. */
  books(): ShopBooks {
    const file = join(this.options.folder, 'shop-books.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as ShopBooks : { customers: {}, orders: {}, unanswered: [], accounts: {} };
  }
}
