import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Child, ROOT, Shop } from '@tollgate/kit';
import { until } from '@tollgate/testkit';
import { TollgateFolder } from '../../apps/cli/src/test-support/tollgate-run.js';
import { createGateway } from '../../apps/gateway/src/composition/container.js';
import type { Gateway } from '../../apps/gateway/src/gateway/gateway.js';
import { addPerson } from '../../apps/gateway/src/test-support/test-browser.js';
import { ADDRESS, readCurl } from './curl-command.js';
import { codeBlock, readDocument } from './documents.js';

const SHOP = readDocument('docs/shop.md');
const SHOP_ADDRESS = 'http://127.0.0.1:3000';
/** Replaces the receiver's address on the page while no receiver runs. */
const RECEIVER = 'http://127.0.0.1:9';

let folder: TollgateFolder;
let gateway: Gateway;
let shop: Shop | null = null;
let receiver: Child | null = null;
let secret = '';
let webhookSecret = '';

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  gateway = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production', SIGN_UP: 'open', DATABASE_URL: `sqlite:${join(folder.path, 'tollgate.db')}` });
});
afterAll(async () => {
  receiver?.kill();
  await shop?.kill();
  await gateway.close();
  folder.remove();
});

/** Runs the `tollgate` commands of a block; returns their outputs. */
async function tollgate(mark: string): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const line of codeBlock(SHOP, mark).split('\n')) {
    const [, command = ''] = /^npm run -s tollgate -- (.+)$/u.exec(line) ?? [];
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const { exitCode, out, error } = await folder.run(...words);
    expect([line, exitCode, error]).toEqual([line, 0, '']);
    outputs.push(out);
  }
  return outputs;
}

/** Sends the curl commands of a block in order; returns the replies. `receivedAt` replaces the receiver's address on the page. */
async function curl(mark: string, receivedAt = RECEIVER): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const replies: Readonly<Record<string, unknown>>[] = [];
  for (const line of codeBlock(SHOP, mark).split('\n')) {
    const { url, init } = readCurl(line.replace(ADDRESS, gateway.url).replace(SHOP_ADDRESS, shop?.url ?? receivedAt).replace('tgm_…', secret), {});
    const reply = await fetch(url, init);
    expect([line, reply.ok]).toEqual([line, true]);
    replies.push(await reply.json() as Readonly<Record<string, unknown>>);
  }
  return replies;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

it('the walk from the first call to the first webhook in shop.md works as documented', async () => {
  [secret = ''] = /tgm_\w+/.exec((await tollgate('first-machine')).join('')) ?? [];
  const port = await freePort();
  const [accounts, webhook] = await curl('first-call', `http://127.0.0.1:${port}`);
  expect([accounts, webhook]).toMatchObject([{ object: 'list', data: [] }, { object: 'webhook', status: 'active' }]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  writeFileSync(join(folder.path, 'receiver.mjs'), codeBlock(SHOP, 'first-receiver').replace('3000', String(port)));
  const started = Child.start({
    name: 'the receiver', command: process.execPath, argv: ['receiver.mjs'], folder: folder.path, logFile: join(folder.path, 'receiver.log'), environment: { WEBHOOK_SECRET: String(webhook?.['secret']) },
  });
  receiver = started;
  const printed = Promise.all([started.printed(/type: 'account\.created'/), started.printed(/reference: 'order-1001'/)]);
  await until(() => fetch(`http://127.0.0.1:${port}`).then(({ status }) => status === 400, () => false));
  expect(await curl('first-order')).toMatchObject([{ external_id: 'customer-4711' }, { repeated: false, balance: { total: { svc_tokens: '50' } } }]);
  await printed;
}, 30_000);

it('the walk through a whole shop in shop.md works as documented', async () => {
  const [machine = '', webhook = ''] = await tollgate('shop-machine');
  [[secret = ''], [webhookSecret = '']] = [/tgm_\w+/.exec(machine) ?? [], /whsec_\S+/.exec(webhook) ?? []];
  expect(codeBlock(SHOP, 'shop-start')).toBe('TOLLGATE_MACHINE=tgm_… WEBHOOK_SECRET=whsec_… node examples/shop/shop.mjs');
  const opened = new Shop({ folder: folder.path, gatewayUrl: gateway.url, machine: secret, webhookSecret, pollMilliseconds: 50 });
  shop = opened;
  await opened.open();

  expect(await curl('shop-order')).toMatchObject([{ id: '4711' }, { id: '1001', status: 'pending' }, { name: 'Dan' }]);
  await until(() => Object.values(opened.books().accounts).some(({ customer, balance }) => customer === '4711' && balance === '50'));
  const [key = ''] = /sk-\S+/.exec((await tollgate('shop-key')).join('')) ?? [];
  const served = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  expect(served.status).toBe(200);
  await served.text();

  await until(() => Object.values(opened.books().accounts).some(({ customer, balance }) => customer === '4711' && balance !== '50'));
  const [inShop, atTollgate] = await curl('shop-compare');
  expect(inShop).toMatchObject({ status: 'done', orders: [{ id: '1001', status: 'done' }] });
  expect(atTollgate).toMatchObject({ total: { svc_tokens: inShop?.['balance'] } });

  await addPerson(gateway, 'dan@example.com');
  const [link] = await curl('shop-dashboard');
  expect(link).toMatchObject({ url: expect.stringContaining('/dashboard/'), expires_at: expect.any(String) });
}, 30_000);
