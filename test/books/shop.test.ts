import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountEvent, type AccountId, type PlanId, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import { Shop, SHOP_SCOPES } from '@tollgate/kit';
import { type PostgresServer, startPostgresServer, until } from '@tollgate/testkit';
import { services } from '../../apps/gateway/src/composition/services.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';

const POLL_MILLISECONDS = 50;

/** Forwards requests to the gateway, and drops the first reply to each, so that the shop sends each request twice. */
class LossyNetwork {
  readonly #answered = new Set<string>();
  private constructor(private readonly target: string, private readonly server: Server) {}

  static async start(target: string): Promise<LossyNetwork> {
    const server = createServer();
    const network = new LossyNetwork(target, server);
    server.on('request', (req: IncomingMessage, res: ServerResponse) => void network.pass(req, res));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return network;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers: { authorization = '', 'idempotency-key': key = '' } } = req;
    const body = method === 'GET' ? null : await buffer(req);
    const reply = await fetch(`${this.target}${url}`, { method, headers: { authorization, 'content-type': 'application/json', 'idempotency-key': String(key) }, body });
    const text = await reply.text();
    const request = `${method} ${url} ${String(key)}`;
    if (this.#answered.has(request)) res.writeHead(reply.status).end(text);
    else req.socket.destroy();
    this.#answered.add(request);
  }
}

/** Balances of all accounts, by id. */
type Balances = Readonly<Record<string, string>>;

function keepsBooks(databaseUrl: () => string): void {
  let folder: string;
  let gateway: EmbeddedGateway;
  let network: LossyNetwork;
  let shop: Shop;
  let machine: string;
  const accountIds: AccountId[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-shop-'));
    gateway = await startEmbeddedGateway({ environment: { DATABASE_URL: databaseUrl() } });
    const created = await gateway.gateway.container.get(Machines).create({ name: 'Shop', scopes: SHOP_SCOPES, networks: [], expiresAt: null }, by());
    if (created.outcome !== 'created') throw new Error(created.outcome);
    machine = created.issued.secret.reveal();
    network = await LossyNetwork.start(gateway.url);
    shop = new Shop({ folder, gatewayUrl: network.url, machine, pollMilliseconds: POLL_MILLISECONDS });
    await shop.open();
    accountIds.splice(0, accountIds.length, gateway.account.id);
  });
  afterEach(async () => {
    await shop.kill();
    network.stop();
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  function by() {
    return { actor: SYSTEM_ACTOR, at: gateway.gateway.container.get(services.clock).now() };
  }

  async function accountOf(customer: string): Promise<AccountId> {
    const account = await gateway.gateway.container.get(services.accounts).findByExternalId(customer);
    if (account === null) throw new Error(`no account of ${customer}`);
    return account.id;
  }

  async function keyOf(accountId: AccountId): Promise<string> {
    const plan = gateway.gateway.container.get(services.catalogue).current().planInForce('pro' as PlanId);
    const made = await gateway.gateway.keyManagement.create({ accountId, plan, name: 'shop', expiresAt: null, actor: SYSTEM_ACTOR });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    return made.issued.secret.reveal();
  }

  /** Sends requests with a key; returns the id of the last one. */
  async function use(key: string, times: number): Promise<string> {
    let id = '';
    for (let time = 0; time < times; time += 1) {
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST', headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
      });
      await reply.text();
      expect(reply.status).toBe(200);
      id = reply.headers.get('x-request-id') ?? '';
    }
    return id;
  }

  async function change(path: string, body: Readonly<Record<string, string>>): Promise<void> {
    const reply = await fetch(`${gateway.url}/admin/v1${path}`, {
      method: 'POST', headers: { 'authorization': `Bearer ${machine}`, 'content-type': 'application/json', 'idempotency-key': path }, body: JSON.stringify(body),
    });
    expect(reply.status).toBe(201);
  }

  async function ledgerBalances(): Promise<Balances> {
    const ledger = gateway.gateway.container.get(services.ledger);
    return Object.fromEntries(await Promise.all(accountIds.map(async (id) => [id, (await ledger.balanceOf(id))?.posted.toString() ?? ''])));
  }

  function shopBalances(): Balances {
    return Object.fromEntries(Object.entries(shop.books().accounts).map(([id, { balance }]) => [id, balance]));
  }

  async function allEvents(): Promise<readonly AccountEvent[]> {
    const reading = await gateway.gateway.container.get(services.events).read({ after: null, limit: 1000, types: null, accountId: null });
    if (reading.outcome !== 'page') throw new Error(reading.outcome);
    return reading.events;
  }

  async function ordersAnswered(): Promise<void> {
    await until(() => shop.books().unanswered.length === 0);
  }

  it('have the balances of the ledger, although every first reply was lost and the shop was killed', async () => {
    for (const id of ['1', '2']) expect(await shop.post('/customers', { id, email: `customer-${id}@example.com`, name: `Customer ${id}` })).toBe(202);
    await shop.post('/customers', { id: '3', email: 'customer-1@example.com', name: 'Taken' });
    await shop.post('/orders', { id: '11', customer: '1', svc_tokens: '50.000001' });
    await shop.post('/orders', { id: '11', customer: '1', svc_tokens: '50.000001' });
    await shop.post('/orders', { id: '12', customer: '9', svc_tokens: '5' });
    await ordersAnswered();
    const [first, second] = [await accountOf('1'), await accountOf('2')];
    accountIds.push(first, second);
    const key = await keyOf(first);

    const request = await use(key, 20);
    await shop.kill();
    await use(gateway.key, 5);
    await change('/accounts/external:1/corrections', { svc_tokens: '-0.5', reference: 'correction', reason: 'Too much' });
    await change('/accounts/external:1/refunds', { svc_tokens: '0.01', request_id: request, reference: 'refund', reason: 'Bad reply' });
    await shop.open();
    await shop.post('/orders', { id: '13', customer: '2', svc_tokens: '7' });
    await use(key, 20);
    await ordersAnswered();

    await until(async () => JSON.stringify(shopBalances()) === JSON.stringify(await ledgerBalances())).catch(() => undefined);
    expect(shopBalances()).toEqual(await ledgerBalances());
    expect(shopBalances()).toMatchObject({ [second]: '7' });
    expect(Object.values(shop.books().orders).map(({ status }) => status)).toEqual(['done', expect.stringContaining('refused: '), 'done']);
    expect(Object.values(shop.books().customers).map(({ status }) => status)).toEqual(['done', 'done', expect.stringContaining('refused: ')]);
    const events = await allEvents();
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const id of accountIds) {
      const sequences = events.flatMap(({ accountId, accountSequence }) => (accountId === id ? [accountSequence] : []));
      expect(sequences).toEqual(Array.from({ length: shop.books().accounts[id]?.sequence ?? 0 }, (_, place) => place + 1));
    }
    expect(events.filter(({ type, data }) => type === 'balance.booked' && data['reference'] === 'order-11')).toHaveLength(1);
  });
}

describe('the books of the example shop', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgresServer();
  });
  afterAll(() => postgres.stop());

  describe('on SQLite', () => {
    keepsBooks(() => 'sqlite::memory:');
  });
  describe('on PostgreSQL', () => {
    keepsBooks(() => postgres.url());
  });
});
