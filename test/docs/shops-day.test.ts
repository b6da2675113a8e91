import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Shop } from '@tollgate/kit';
import { until } from '@tollgate/testkit';
import { TollgateFolder } from '../../apps/cli/src/test-support/tollgate-run.js';
import { createGateway } from '../../apps/gateway/src/composition/container.js';
import type { Gateway } from '../../apps/gateway/src/gateway/gateway.js';
import { ADDRESS, readCurl } from './curl-command.js';
import { codeBlock, readDocument } from './documents.js';

const SHOP = readDocument('docs/shop.md');
const SHOP_ADDRESS = 'http://127.0.0.1:3000';

let folder: TollgateFolder;
let gateway: Gateway;
let shop: Shop | null = null;
let secret = '';
let webhookSecret = '';

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  gateway = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production', DATABASE_URL: `sqlite:${join(folder.path, 'tollgate.db')}` });
});
afterAll(async () => {
  await shop?.kill();
  await gateway.close();
  folder.remove();
});

/** The outputs of a block's commands. */
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

/** The replies of a block's commands, in their order. */
async function curl(mark: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const replies: Readonly<Record<string, unknown>>[] = [];
  for (const line of codeBlock(SHOP, mark).split('\n')) {
    const { url, init } = readCurl(line.replace(ADDRESS, gateway.url).replace(SHOP_ADDRESS, shop?.url ?? '').replace('tgm_…', secret), {});
    const reply = await fetch(url, init);
    expect([line, reply.ok]).toEqual([line, true]);
    replies.push(await reply.json() as Readonly<Record<string, unknown>>);
  }
  return replies;
}

it('the walk through a whole shop in shop.md works as documented', async () => {
  const [machine = '', webhook = ''] = await tollgate('shop-machine');
  [[secret = ''], [webhookSecret = '']] = [/tgm_\w+/.exec(machine) ?? [], /whsec_\S+/.exec(webhook) ?? []];
  expect(codeBlock(SHOP, 'shop-start')).toBe('TOLLGATE_MACHINE=tgm_… WEBHOOK_SECRET=whsec_… node examples/shop/shop.mjs');
  const opened = new Shop({ folder: folder.path, gatewayUrl: gateway.url, machine: secret, webhookSecret, pollMilliseconds: 50 });
  shop = opened;
  await opened.open();

  expect(await curl('shop-order')).toMatchObject([{ id: '4711' }, { id: '1001', status: 'pending' }, { name: 'Carol' }]);
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
}, 30_000);
