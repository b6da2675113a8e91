import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AccountId, type JsonObject, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';
import { type PageReply, TestBrowser } from '../../apps/gateway/src/test-support/test-browser.js';
import { TestMailbox } from '../../apps/gateway/src/test-support/test-browser.js';
import { codeBlock, readDocument } from './documents.js';

const ACCOUNTS = readDocument('docs/accounts.md');
const EMAIL = 'ada@example.com';

let mailbox: TestMailbox;
let gateway: EmbeddedGateway;
let browser: TestBrowser;
/** Values from earlier replies, by name without the dollar sign: `KEY_ID` for `$KEY_ID`. */
const values = new Map<string, string>();

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  gateway = await startEmbeddedGateway({ services: { mail: mailbox.route }, planId: 'pro' as PlanId });
  browser = new TestBrowser(gateway.gateway);
});
afterAll(async () => {
  await gateway.close();
  await mailbox.close();
});

/** Sends a documented request: method and address, headers, and a body, which begins with a brace. */
async function send(text: string): Promise<PageReply> {
  const filled = text.replaceAll(/\$([A-Z_]+)/g, (name, key: string) => values.get(key) ?? name);
  const [first = '', ...rest] = filled.trim().split('\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(rest.filter((line) => !line.startsWith('{')).map((line) => line.split(': ') as [string, string]));
  const body = rest.find((line) => line.startsWith('{'));
  // Requests with an API key are sent without the session.
  const sender = path.startsWith('/v1') ? new TestBrowser(gateway.gateway) : browser;
  return sender.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
}

/** Sends the requests of a block one after the other. */
async function play(mark: string): Promise<readonly PageReply[]> {
  const replies: PageReply[] = [];
  for (const request of codeBlock(ACCOUNTS, mark).trim().split('\n\n')) {
    if (request.includes('$TOKEN')) values.set('TOKEN', (await mailbox.nextLink(EMAIL)).token);
    const reply = await send(request);
    remember(reply);
    replies.push(reply);
  }
  return replies;
}

function remember({ headers, body }: PageReply): void {
  const { object, id, secret } = body as Readonly<Record<string, unknown>>;
  if (object === 'api_key') values.set('KEY_ID', String(id));
  if (typeof secret === 'string') values.set('SECRET', secret);
  if (object === 'chat.completion') values.set('REQUEST_ID', String(headers['x-request-id']));
}

function statusesOf(replies: readonly PageReply[]): readonly number[] {
  return replies.map(({ status }) => status);
}

it('the requests of an owner’s day in accounts.md work as documented', async () => {
  const entered = await play('owner-sign-up');
  expect(statusesOf(entered)).toEqual([202, 200, 200]);
  const account = entered[2]?.body['account'] as { readonly id: AccountId } | undefined;
  const accountId = account?.id ?? gateway.account.id;
  expect(accountId).not.toBe(gateway.account.id);
  await gateway.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('100'), reference: 'first', actor: SYSTEM_ACTOR });

  const [made, answered, key] = await play('owner-key');
  expect([made?.status, answered?.status]).toEqual([201, 200]);
  const usage = answered?.body['usage'] as JsonObject | undefined;
  const debited = usage?.['svc_tokens_debited'];
  expect(debited).toEqual(expect.any(String));
  expect(key?.body).toMatchObject({ name: 'laptop', spent: { svc_tokens: debited } });

  const [list, record, summary, file] = await play('owner-usage');
  expect(list?.body['data']).toMatchObject([{ request_id: values.get('REQUEST_ID'), svc_tokens_debited: debited }]);
  expect(record?.body).toMatchObject({ charge: { debited } });
  expect(summary?.body['data']).toMatchObject([{ svc_tokens_debited: debited }]);
  expect(file?.text).toContain(String(values.get('REQUEST_ID')));

  const lost = String(values.get('SECRET'));
  expect(statusesOf(await play('owner-safety'))).toEqual([201, 200, 204, 204, 200]);
  values.set('SECRET', lost);
  expect((await send(codeBlock(ACCOUNTS, 'owner-key').split('\n\n')[1] ?? '')).status).toBe(401);
});
