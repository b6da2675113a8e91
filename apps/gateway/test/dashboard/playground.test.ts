import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type ApiKeyId, availableOf, type Instant, type JsonObject, type ModelSlug, type RequestId, ServiceTokens, SYSTEM_ACTOR, type UsageRecord } from '@tollgate/core';
import { checkChatStream, checkMessagesStream, checkResponsesStream, Gate } from '@tollgate/testkit';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { eventually, RawConnection } from '../../src/test-support/test-client.js';
import { haltedReply, TEST_PLAN } from '../../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const BODY = { model: 'small', max_tokens: 900, messages: [{ role: 'user', content: 'Hi there!' }] };
const RESPONSES_BODY = { model: 'small', max_output_tokens: 900, input: [{ role: 'user', content: 'Hi there!' }] };
const LONG = [{ role: 'user', content: 'a'.repeat(40_000) }];

const FORMATS = [
  { format: 'chat', route: contract.playgroundChat, receiptOf: (text: string) => checkChatStream(text).last, path: '/v1/chat/completions', body: BODY },
  { format: 'messages', route: contract.playgroundMessages, receiptOf: (text: string) => checkMessagesStream(text).usage, path: '/v1/messages', body: BODY },
  { format: 'responses', route: contract.playgroundResponses, receiptOf: (text: string) => checkResponsesStream(text).usage, path: '/v1/responses', body: RESPONSES_BODY },
] as const;
const CHAT = contract.playgroundChat;
const BY = { actor: SYSTEM_ACTOR };

let running: TestGateway;
let browser: TestBrowser;
let accountId: AccountId;

async function start(options: TestGatewayOptions = {}): Promise<void> {
  running = await startTestGateway(options);
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  if (person.accountId === null) throw new Error('the verified person has no account');
  accountId = person.accountId;
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  const { accountAdministration } = running.gateway;
  await accountAdministration.change(accountId, { planId: TEST_PLAN }, SYSTEM_ACTOR);
  await accountAdministration.credit({ accountId, amount: ServiceTokens.parse('1000'), reference: 'first', ...BY });
}

async function restart(options: TestGatewayOptions): Promise<void> {
  await running.close();
  await start(options);
}

function recordOf(reply: PageReply): Promise<UsageRecord | null> {
  return running.parts.store.usage.find(accountId, String(reply.headers['x-request-id']) as RequestId);
}

async function balance(): Promise<readonly (string | undefined)[]> {
  const found = await running.parts.store.ledger.balanceOf(accountId);
  return [found === null ? undefined : availableOf(found).toString(), found?.reserved.toString()];
}

async function lower(amount: string): Promise<void> {
  await running.gateway.accountAdministration.book({
    accountId, kind: 'correction', direction: 'lower', amount: ServiceTokens.parse(amount), reference: `lower by ${amount}`, reason: 'a test', ...BY,
  });
}

async function playgroundKeyId(): Promise<ApiKeyId | null> {
  return (await browser.call(contract.me)).body['playground_key_id'] as ApiKeyId | null;
}

function errorOf({ status, body }: PageReply): readonly unknown[] {
  return [status, body.error?.code];
}

/** Opens a stream on a raw connection, as a page would. */
async function openStream(model = 'halting'): Promise<RawConnection> {
  const connection = await RawConnection.open(running.url);
  const body = JSON.stringify({ ...BODY, model, stream: true });
  const origin = `http://localhost:${new URL(running.url).port}`;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  void connection.send(`POST /dashboard/api/playground/chat HTTP/1.1\r\nhost: ${new URL(origin).host}\r\norigin: ${origin}\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return connection;
}

beforeEach(() => start());
afterEach(() => running.close());

describe.each(FORMATS)('the playground in the $format format', ({ format, route, receiptOf, path, body: sample }) => {
  it('streams with the headers of /v1, and a receipt equal to the usage record', async () => {
    const reply = await browser.call(route, { body: { ...sample, stream: true } });
    const receipt = receiptOf(reply.text);
    const record = await recordOf(reply);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-svc-model': 'small', 'x-ratelimit-remaining-requests': '59',
    });
    expect(receipt).toMatchObject({ svc_tokens_debited: record?.charge.amount.toString(), svc_cost_usd: record?.charge.usd.toString() });
    expect(record).toMatchObject({ format, streamed: true, reason: 'completed', keyId: await playgroundKeyId() });
    expect(await balance()).toEqual([ServiceTokens.parse('1000').minus(record?.charge.amount ?? ServiceTokens.ZERO).toString(), '0']);
  });

  it('sends a whole reply that equals that of /v1 except for `id` and `created`, and the usage page shows the same charge', async () => {
    const reply = await browser.call(route, { body: sample });
    const twin = await running.post(path, sample);
    const same = (answer: JsonObject): unknown => JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'id' || name === 'created' ? undefined : value)));
    const ofTwin = await twin.json() as JsonObject;
    expect(same(reply.body)).toEqual(same(ofTwin));
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('x-')).toSorted()).toEqual([...twin.headers.keys()].filter((name) => name.startsWith('x-')).toSorted());
    const shown = await browser.call(contract.readUsage, { params: { request_id: String(reply.headers['x-request-id']) } });
    expect(shown.body).toMatchObject({ key_id: await playgroundKeyId(), svc_tokens_debited: reply.headers['x-svc-tokens-debited'], charge: { debited: reply.headers['x-svc-tokens-debited'] } });
    expect((reply.body['usage'] as JsonObject)['svc_tokens_debited']).toBe(reply.headers['x-svc-tokens-debited']);
  });

  it('refuses requests with the same envelope and message as /v1', async () => {
    const refusals: readonly JsonObject[] = [{ ...sample, model: 'unknown' }, { ...sample, temperature: 'hot' }, { ...sample, [format === 'responses' ? 'input' : 'messages']: LONG }];
    for (const body of refusals) {
      const [reply, twin] = [await browser.call(route, { body }), await running.post(path, body)];
      const { error: { request_id: _mine, ...error }, ...envelope } = reply.body as { readonly error: JsonObject };
      const { error: { request_id: _other, ...expected }, ...envelopeOfTwin } = await twin.json() as { readonly error: JsonObject };
      expect([reply.status, envelope, error]).toEqual([twin.status, envelopeOfTwin, expected]);
      expect(reply.headers['x-ratelimit-limit-requests']).toBe('60');
    }
  });

  it('requires a session, and is closed to API keys and during maintenance', async () => {
    const stranger = new TestBrowser(running.gateway);
    const refused = await stranger.call(route, { body: sample });
    expect([errorOf(refused), refused.body['type']]).toEqual([[401, 'not_signed_in'], format === 'messages' ? 'error' : undefined]);
    expect(errorOf(await browser.call(route, { body: sample, headers: { 'x-api-key': running.caller.key } }))).toEqual([401, 'not_signed_in']);
    running.parts.platform.maintenance = true;
    expect(errorOf(await browser.call(route, { body: sample }))).toEqual([503, 'maintenance_mode']);
    expect((await browser.call(contract.me)).status).toBe(200);
    running.parts.platform.maintenance = false;
    expect(running.provider.calls).toEqual([]);
    expect(await playgroundKeyId()).toBeNull();
  });
});

describe('the key of the playground', () => {
  it('is created at first use, once for concurrent requests, and is neither listed nor counted', async () => {
    await restart({ limits: { concurrentRequests: 50, activeKeys: 1 } });
    expect(await playgroundKeyId()).toBeNull();
    const replies = await Promise.all(Array.from({ length: 50 }, () => browser.call(CHAT, { body: { ...BODY, max_tokens: 5 } })));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const id = await playgroundKeyId();
    const records = await Promise.all(replies.map(recordOf));
    expect(new Set(records.map((record) => record?.keyId))).toEqual(new Set([id]));
    const made = await browser.call(contract.createKey, { body: {} });
    expect(made.status).toBe(201);
    expect((await browser.call(contract.listKeys)).body['data']).toMatchObject([{ id: made.body['id'] }]);
    expect((await browser.call(contract.account)).body).toMatchObject({ used: { api_keys: 1 } });
    const listed = await running.fetch('/v1/api-keys', { headers: { authorization: `Bearer ${textOf(made, 'secret')}` } });
    expect((await listed.json() as { readonly data: readonly JsonObject[] }).data.map((key) => key['id'])).toEqual([made.body['id']]);
  });

  it('cannot be shown, changed, rotated, revoked or used under /v1', async () => {
    await browser.call(CHAT, { body: BODY });
    const id = String(await playgroundKeyId());
    const params = { id };
    const replies = [
      await browser.call(contract.readKey, { params }), await browser.call(contract.changeKey, { params, body: { name: 'mine' } }),
      await browser.call(contract.rotateKey, { params }), await browser.call(contract.revokeKey, { params }),
    ];
    expect(replies.map(errorOf)).toEqual(replies.map(() => [404, 'not_found']));
    for (const key of [id, `sk-${id}`]) expect((await running.post('/v1/chat/completions', BODY, { authorization: `Bearer ${key}` })).status).toBe(401);
    expect((await browser.call(CHAT, { body: BODY })).status).toBe(200);
  });

  it('can be blocked and unblocked by operators, who also find the account by it', async () => {
    await browser.call(CHAT, { body: BODY });
    const subject = String(await playgroundKeyId());
    const { person, password } = await addPerson(running.gateway, 'op@example.com', 'operator');
    const operator = new TestBrowser(running.gateway);
    await operator.call(contract.signIn, { body: { email: person.email, password } });
    expect((await operator.call(contract.listAccounts, { query: { q: subject } })).body['data']).toMatchObject([{ id: accountId }]);
    expect((await operator.call(contract.readAccount, { params: { id: accountId } })).body).toMatchObject({ playground_key_id: subject, keys: { data: [] } });
    expect((await operator.call(contract.block, { body: { kind: 'key', subject, reason: 'abuse', expires_at: null } })).status).toBe(200);
    const refused = await browser.call(CHAT, { body: BODY });
    expect([errorOf(refused), refused.headers['x-should-retry']]).toEqual([[403, 'api_key_blocked'], 'false']);
    expect((await operator.call(contract.unblock, { params: { id: subject } })).status).toBe(204);
    expect((await browser.call(CHAT, { body: BODY })).status).toBe(200);
  });
});

describe('a request of the playground', () => {
  const cases: readonly (readonly [string, number, string, () => Promise<void> | void])[] = [
    ['when the balance is spent', 402, 'insufficient_balance', async () => {
      await lower('1000');
    }],
    ['for a model outside the plan', 403, 'model_not_in_plan', () => void (body['model'] = 'other-plan')],
    ['from a blocked network', 403, 'ip_blocked', () => void running.parts.platform.blockedAddresses.add('127.0.0.1')],
    ['beyond an incident limit', 429, 'rate_limit_exceeded', () => void running.parts.platform.incidentLimits.set('small' as ModelSlug, {
      model: 'small' as ModelSlug, setAt: 0 as Instant, requestsPerMinute: 0, tokensPerMinute: null, concurrentRequests: null, expiresAt: null,
    })],
    ['larger than 2 MiB', 413, 'payload_too_large', () => void (body['user'] = 'x'.repeat(2_097_152))],
  ];
  let body: JsonObject & Record<string, unknown>;
  beforeEach(() => {
    body = { ...BODY };
  });

  it.each(cases)('%s is answered with %d %s', async (_name, status, code, arrange) => {
    await arrange();
    expect(errorOf(await browser.call(CHAT, { body }))).toEqual([status, code]);
    expect([running.provider.calls.length, (await balance())[1]]).toEqual([0, '0']);
  });

  it('accepts bodies that are too large for the rest of the dashboard', async () => {
    const reply = await browser.call(CHAT, { body: { ...BODY, metadata: { note: 'x' }, tools: [{ type: 'function', function: { name: 'f', description: 'd'.repeat(3_000) } }] } });
    expect(reply.status).toBe(200);
    const large = await browser.call(CHAT, { body: { ...BODY, messages: [{ role: 'user', content: 'a'.repeat(200_000) }] } });
    expect(errorOf(large)).toEqual([400, 'context_length_exceeded']);
  });

  it('counts against the plan’s limits, together with requests by keys', async () => {
    await restart({ limits: { requestsPerMinute: 2 } });
    const made = await browser.call(contract.createKey, { body: {} });
    expect((await browser.call(CHAT, { body: BODY })).headers['x-ratelimit-remaining-requests']).toBe('1');
    expect((await running.post('/v1/messages', BODY, { authorization: `Bearer ${textOf(made, 'secret')}` })).status).toBe(200);
    const refused = await browser.call(CHAT, { body: BODY });
    expect([errorOf(refused), refused.headers['retry-after']]).toEqual([[429, 'rate_limit_exceeded'], '60']);
    running.clock.advance(60_000);
    expect((await browser.call(CHAT, { body: BODY })).status).toBe(200);
  });

  it('is charged for the relayed output if its page is closed', async () => {
    const gate = new Gate();
    running.provider.script('halting', haltedReply(gate, ' again'));
    const connection = await openStream();
    const requestId = /x-request-id: (req_\w+)/.exec(await connection.until('Hello'))?.[1] as RequestId;
    connection.destroy();
    await eventually(() => running.parts.logged.some((line) => line['requestId'] === requestId && line['endReason'] === 'client_left'));
    gate.open();
    expect(await running.parts.store.usage.find(accountId, requestId)).toMatchObject({ reason: 'client_left', usage: { visibleOutputTokens: 5 }, keyId: await playgroundKeyId() });
    expect((await balance())[1]).toBe('0');
  });

  it('is completed even if the person signs out everywhere meanwhile', async () => {
    const gate = new Gate();
    running.provider.script('halting', haltedReply(gate, ' again'));
    const connection = await openStream();
    const requestId = /x-request-id: (req_\w+)/.exec(await connection.until('Hello'))?.[1] as RequestId;
    const cookies = [...browser.cookies];
    expect((await browser.call(contract.signOutEverywhere)).status).toBe(204);
    gate.open();
    await connection.until('[DONE]');
    connection.destroy();
    expect(await running.parts.store.usage.find(accountId, requestId)).toMatchObject({ reason: 'completed' });
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(errorOf(await browser.call(CHAT, { body: BODY }))).toEqual([401, 'not_signed_in']);
  });

  it('appears in the log like any other request, with person and key', async () => {
    const reply = await browser.call(CHAT, { body: BODY });
    const line = (): unknown => running.parts.logged.find((each) => each['requestId'] === reply.headers['x-request-id'] && each['msg'] === 'request');
    await eventually(() => line() !== undefined);
    expect(line()).toMatchObject({ path: '/dashboard/api/playground/chat', accountId, personId: expect.stringMatching(/^person_/), keyId: await playgroundKeyId(), endReason: 'completed' });
  });
});

describe('unbilled work in the playground', () => {
  const LIMIT: Partial<GatewaySettings> = { unbilledPerMinuteAccount: 12 };

  it('is refused beyond a person’s limit, which served requests do not consume', async () => {
    await restart({ settings: LIMIT });
    for (let sent = 0; sent < 20; sent += 1) expect((await browser.call(CHAT, { body: BODY })).status).toBe(200);
    const statuses: number[] = [];
    for (let sent = 0; sent < 13; sent += 1) statuses.push((await browser.call(CHAT, { body: { ...BODY, model: 'unknown' } })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    expect((await browser.call(contract.countPlayground, { query: { format: 'chat' }, body: BODY })).status).toBe(429);
  });

  it('includes the bodies that are sent for estimates', async () => {
    await restart({ settings: LIMIT });
    const body = { ...BODY, messages: [{ role: 'user', content: 'a'.repeat(65_536 * 6) }] };
    const ask = () => browser.call(contract.countPlayground, { query: { format: 'chat' }, body });
    expect([errorOf(await ask()), errorOf(await ask())]).toEqual([[400, 'context_length_exceeded'], [429, 'rate_limit_exceeded']]);
  });
});

describe('an estimate', () => {
  const estimate = (format: (typeof FORMATS)[number]['format'], body: JsonObject = BODY) => browser.call(contract.countPlayground, { query: { format }, body });

  it.each(FORMATS)('in the $format format states the amount that the request would reserve, and reserves nothing itself', async ({ format, route, body: sample }) => {
    const gate = new Gate();
    running.provider.script('halting', haltedReply(gate));
    const { body } = await estimate(format, { ...sample, model: 'halting' });
    expect(body).toMatchObject({ object: 'playground_estimate', model: 'halting', prompt_tokens: 9, expected_output_tokens: 900, max_output_tokens: 900, covered: true });
    expect([await balance(), await playgroundKeyId()]).toEqual([['1000', '0'], null]);
    const sent = browser.call(route, { body: { ...sample, model: 'halting' } });
    await eventually(() => running.provider.openStreams === 1);
    expect((await balance())[1]).toBe((body['reserved'] as { readonly svc_tokens: string }).svc_tokens);
    gate.open();
    expect((await sent).headers['x-ratelimit-remaining-requests']).toBe('59');
  });

  it('states whether the balance suffices, and the amount that would be reserved', async () => {
    await lower('998.5');
    expect((await estimate('chat')).body).toMatchObject({ covered: true, reserved: { svc_tokens: '1.5', usd: '0.0015' } });
    await lower('1');
    expect((await estimate('chat')).body).toMatchObject({ covered: false, reserved: { svc_tokens: '1' } });
  });

  it('is refused like the request itself, and for an unknown format', async () => {
    expect(errorOf(await estimate('chat', { ...BODY, model: 'unknown' }))).toEqual([404, 'model_not_found']);
    expect(errorOf(await estimate('chat', { ...BODY, model: 'other-plan' }))).toEqual([403, 'model_not_in_plan']);
    const long = await estimate('messages', { ...BODY, messages: LONG });
    expect([long.status, long.body.error?.message]).toEqual([400, 'prompt is too long: 40000 tokens > 8000 maximum']);
    expect(errorOf(await estimate('completions' as 'chat'))).toEqual([400, 'invalid_request']);
    expect(errorOf(await new TestBrowser(running.gateway).call(contract.countPlayground, { query: { format: 'chat' }, body: BODY }))).toEqual([401, 'not_signed_in']);
  });
});
