import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { availableOf, type Balance, type IdempotencyStore, instant, invariant, later, type ProcessId, ProviderFailure, type RequestId } from '@tollgate/core';
import { FaultPlan, Gate } from '@tollgate/testkit';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { requestFingerprint } from '../src/routes/generation/idempotent-requests.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { aModel, haltedReply, testCatalogue, textReply } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';

const CHAT = '/v1/chat/completions';
const BODY = { model: 'small', ...bodyOfEveryFormat('Hi', 50) };
const KEY = { 'idempotency-key': 'order 66' };
const DAY = 24 * 60 * 60 * 1000;

let gateway: TestGateway;
let gate: Gate;

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway(options);
  gateway.provider.script('halting', haltedReply(gate, ' again'));
}

beforeEach(async () => {
  gate = new Gate();
  await start();
});

afterEach(async () => {
  gate.open();
  await gateway.close();
});

async function balance(): Promise<Balance> {
  const found = await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id);
  invariant(found !== null, 'the account is there');
  return found;
}

async function available(): Promise<string> {
  return availableOf(await balance()).toString();
}

interface Seen {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
  readonly text: string;
  readonly headers: Headers;
  readonly requestId: string;
}

async function seen(asked: Promise<Response> | Response): Promise<Seen> {
  const reply = await asked;
  const text = await reply.text();
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { readonly error?: { readonly code: string; readonly message: string; readonly param?: string } };
  return {
    status: reply.status, code: error?.code ?? null, message: error?.message ?? '', param: error?.param ?? null, text, headers: reply.headers,
    requestId: reply.headers.get('x-request-id') ?? '',
  };
}

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = KEY): Promise<Seen> => seen(gateway.post(path, body, headers));

/** Sends a request on a connection of its own, which the test can close. */
async function postRaw(path: string, body: object): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.url);
  const text = JSON.stringify(body);
  void connection.send(`POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\nidempotency-key: order 66\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
  return connection;
}

/** Repeats the request until the earlier one has ended. */
async function postUntilOver(path: string, body: object): Promise<Seen> {
  for (;;) {
    const reply = await post(path, body);
    if (!reply.message.includes('still running')) return reply;
  }
}

describe.each(FORMATS)('a request sent again in the $name format', ({ path, namesFields }) => {
  it('gets the same reply, marked as replayed, and is not served, charged or counted again', async () => {
    const first = await post(path, BODY);
    const before = [await available(), gateway.provider.calls.length];
    for (let times = 0; times < 3; times += 1) {
      const again = await post(path, BODY);
      expect([again.status, again.text]).toEqual([200, first.text]);
      for (const name of ['x-svc-model', 'x-svc-tokens-debited', 'x-svc-balance', 'content-type', 'x-ratelimit-remaining-requests', 'x-ratelimit-remaining-tokens']) {
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
      }
      expect([again.headers.get('idempotent-replayed'), again.headers.get('idempotent-request-id')]).toEqual(['true', first.requestId]);
      expect(again.requestId).not.toBe(first.requestId);
      expect(await gateway.parts.store.usage.find(gateway.caller.account.id, again.requestId as RequestId)).toBeNull();
    }
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect([await available(), gateway.provider.calls.length]).toEqual(before);
  });

  it('is refused with the id of the first request while that one runs', async () => {
    const running = post(path, { ...BODY, model: 'halting' });
    await eventually(() => gateway.provider.calls.length === 1);
    const again = await post(path, { ...BODY, model: 'halting' });
    expect([again.status, again.code, again.param]).toEqual([409, 'idempotency_conflict', namesFields ? 'Idempotency-Key' : null]);
    expect(again.headers.get('x-should-retry')).toBeNull();
    gate.open();
    const { requestId, status } = await running;
    expect(status).toBe(200);
    expect(again.message).toContain(requestId);
    expect((await post(path, { ...BODY, model: 'halting' })).headers.get('idempotent-request-id')).toBe(requestId);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('is refused with the id of the first request if the first reply was streamed', async () => {
    const first = await post(path, { ...BODY, stream: true });
    expect(first.text).toContain('Hello');
    const again = await post(path, { ...BODY, stream: true });
    expect([again.status, again.code, again.headers.get('x-should-retry')]).toEqual([409, 'idempotency_conflict', 'false']);
    expect(again.message).toContain(first.requestId);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('with another body or at another path is refused', async () => {
    const first = await post(path, BODY);
    const other = FORMATS.map((each) => each.path).find((each) => each !== path) ?? '';
    for (const again of [await post(path, { ...BODY, max_tokens: 51 }), await post(path, { ...BODY, stream: true }), await post(other, BODY)]) {
      expect([again.status, again.code]).toEqual([400, 'invalid_request']);
      expect(again.message).toContain(first.requestId);
    }
    expect(gateway.provider.calls).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  it('of one account has no effect on another account', async () => {
    const other = await gateway.addCaller('other');
    const first = await post(CHAT, BODY);
    const theirs = await post(CHAT, BODY, { ...KEY, authorization: `Bearer ${other.key}` });
    expect([theirs.status, theirs.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect(theirs.text).not.toBe(first.text);
  });

  it('is kept for a day', async () => {
    const first = await post(CHAT, BODY);
    gateway.clock.advance(DAY - 1);
    expect((await post(CHAT, BODY)).text).toBe(first.text);
    gateway.clock.advance(1);
    const anew = await post(CHAT, { ...BODY, max_tokens: 51 });
    expect([anew.status, anew.headers.has('idempotent-replayed')]).toEqual([200, false]);
  });

  it.each([
    ['is empty', 400, ''],
    ['is longer than 255 characters', 400, 'k'.repeat(256)],
    ['has characters other than printable ASCII', 400, 'gr\u00fcn'],
    ['has 255 characters', 200, 'k'.repeat(255)],
  ])('that %s is answered with %d', async (_, status, key) => {
    const reply = await post(CHAT, BODY, { 'idempotency-key': key });
    expect([reply.status, reply.param]).toEqual([status, status === 200 ? null : 'Idempotency-Key']);
  });

  it('lets only one of many simultaneous requests reach the upstream', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(CHAT, BODY)));
    expect(gateway.provider.calls).toHaveLength(1);
    const served = replies.filter(({ status }) => status === 200);
    expect(new Set(served.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ code }) => code === 'idempotency_conflict')).toHaveLength(20 - served.length);
  });

  it('that is missing makes every request a new one', async () => {
    const replies = [await post(CHAT, BODY, {}), await post(CHAT, BODY, {})];
    expect(new Set(replies.map(({ text }) => text)).size).toBe(2);
    expect(gateway.provider.calls).toHaveLength(2);
  });

  it('is ignored when counting tokens', async () => {
    const replies = [await post('/v1/messages/count_tokens', BODY), await post('/v1/messages/count_tokens', { ...BODY, messages: [{ role: 'user', content: 'Hi there' }] })];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });
});

interface Refusal {
  readonly name: string;
  readonly code: string;
  /** Brings about the state that refuses; returns a function that ends it. */
  readonly provoke: () => Promise<() => unknown>;
}

const REFUSALS: readonly Refusal[] = [
  {
    name: 'for a model that does not exist', code: 'model_not_found',
    provoke: async () => {
      gateway.parts.catalogue.replace({ ...testCatalogue(), models: [aModel('another')] });
      return () => gateway.parts.catalogue.replace(testCatalogue());
    },
  },
  {
    name: 'by a limit', code: 'rate_limit_exceeded',
    provoke: async () => {
      gateway.parts.catalogue.replace(testCatalogue({ requestsPerMinute: 0 }));
      return () => gateway.parts.catalogue.replace(testCatalogue());
    },
  },
  {
    name: 'for lack of balance', code: 'insufficient_balance',
    provoke: async () => {
      const rich = testCatalogue();
      gateway.parts.catalogue.replace({ ...rich, minimumReservation: rich.minimumReservation.plus((await balance()).posted) });
      return () => gateway.parts.catalogue.replace(rich);
    },
  },
  {
    name: 'for lack of a provider', code: 'provider_unavailable',
    provoke: async () => {
      gateway.provider.script('small', { refuses: new ProviderFailure('unavailable', 'no'), steps: [] });
      return () => gateway.provider.script('small', textReply('Hello'));
    },
  },
];

describe('a request that is refused', () => {
  it.each(REFUSALS.flatMap((refusal) => [false, true].map((stream) => [refusal.name, stream, refusal] as const)))('%s (streamed: %s) releases its key', async (_, stream, { code, provoke }) => {
    const mend = await provoke();
    const refused = await post(CHAT, { ...BODY, stream });
    expect(refused.code).toBe(code);
    mend();
    const served = await post(CHAT, { ...BODY, stream });
    expect([served.status, served.headers.has('idempotent-replayed')]).toEqual([200, false]);
  });
});

describe('when the client disconnects,', () => {
  it('a whole reply is completed, charged once, and replayed on a retry', async () => {
    const body = { ...BODY, model: 'halting' };
    const connection = await postRaw(CHAT, body);
    await eventually(() => gateway.provider.calls.length === 1);
    connection.destroy();
    expect((await post(CHAT, body)).message).toContain('still running');
    gate.open();
    const again = await postUntilOver(CHAT, body);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.text).toContain('Hello again!');
    expect(gateway.provider.calls).toHaveLength(1);
    const record = await gateway.parts.store.usage.find(gateway.caller.account.id, again.headers.get('idempotent-request-id') as RequestId);
    expect(record?.reason).toBe('completed');
    expect(record?.charge.amount.toString()).toBe(again.headers.get('x-svc-tokens-debited'));
  });

  it('a stream ends as usual, and a retry is refused with the id of the first request', async () => {
    const body = { ...BODY, model: 'halting', stream: true };
    const connection = await postRaw(CHAT, body);
    const requestId = /x-request-id: (req_\w+)/.exec(await connection.until('Hello'))?.[1] ?? 'none';
    connection.destroy();
    const again = await postUntilOver(CHAT, body);
    expect([again.status, again.code]).toEqual([409, 'idempotency_conflict']);
    expect(again.message).toContain(requestId);
    expect(await gateway.parts.store.usage.find(gateway.caller.account.id, requestId as RequestId)).toMatchObject({ reason: 'client_left' });
  });

  it('a shutdown ends the request and releases its key', async () => {
    const connection = await postRaw(CHAT, { ...BODY, model: 'halting' });
    await eventually(() => gateway.provider.calls.length === 1);
    connection.destroy();
    const closing = gateway.close();
    await eventually(() => {
      gateway.clock.advance(10_000);
      return gateway.parts.logged.some(({ endReason }) => endReason === 'shutdown');
    });
    await closing;
    const claim = {
      accountId: gateway.caller.account.id, key: 'order 66', requestId: 'req_later' as RequestId, ownerId: 'proc_later' as ProcessId, fingerprint: 'any',
      at: gateway.clock.now(), expiresAt: later(gateway.clock.now(), 1),
    };
    expect(await gateway.parts.store.idempotency.claim(claim)).toEqual({ outcome: 'claimed', predecessor: null });
  });
});

describe('when a gateway dies,', () => {
  it('the keys of its running requests are free after the next sweep', async () => {
    await gateway.parts.store.idempotency.claim({
      accountId: gateway.caller.account.id, key: 'order 66', requestId: 'req_dead' as RequestId, ownerId: 'proc_dead' as ProcessId,
      fingerprint: requestFingerprint(CHAT, Buffer.from(JSON.stringify(BODY))), at: gateway.clock.now(), expiresAt: instant(gateway.clock.now() + DAY),
    });
    expect((await post(CHAT, BODY)).message).toContain('req_dead');
    gateway.clock.advance(2000);
    let reply = await post(CHAT, BODY);
    for (let tries = 0; tries < 1000 && reply.status === 409; tries += 1) reply = await post(CHAT, BODY);
    expect([reply.status, reply.headers.has('idempotent-replayed')]).toEqual([200, false]);
  });
});

function failing(idempotency: IdempotencyStore, operation: 'claim' | 'finish' | 'release'): IdempotencyStore {
  const fail = (): Promise<never> => Promise.reject(new Error('the database is away'));
  return {
    claim: (claim) => (operation === 'claim' ? fail() : idempotency.claim(claim)),
    prolong: (prolongation) => idempotency.prolong(prolongation),
    reply: (name) => idempotency.reply(name),
    finish: (command) => (operation === 'finish' ? fail() : idempotency.finish(command)),
    release: (claim) => (operation === 'release' ? fail() : idempotency.release(claim)),
    sweep: (now, keptUntil) => idempotency.sweep(now, keptUntil),
  };
}

describe('when a served request cannot be settled,', () => {
  it.each(['before', 'after'] as const)('its key stays taken, because the request may still be charged (the settlement fails %s it took effect)', async (kind) => {
    await gateway.close();
    const plan = new FaultPlan(1, kind);
    await start({ services: ({ store }) => ({ ledger: plan.watch('ledger', store.ledger, ['settle']) }) });
    const first = await post(CHAT, BODY);
    expect([first.status, first.code, plan.struck]).toEqual([500, 'internal_error', 'ledger.settle']);
    const again = await post(CHAT, BODY);
    expect([again.status, again.code]).toEqual([409, 'idempotency_conflict']);
    expect(again.message).toContain(first.requestId);
    expect(gateway.provider.calls).toHaveLength(1);
  });
});

describe('when idempotency keys cannot be stored,', () => {
  async function startFailing(operation: 'claim' | 'finish' | 'release'): Promise<void> {
    await gateway.close();
    await start({ services: ({ store }) => ({ idempotency: failing(store.idempotency, operation) }) });
  }

  it('a request with a key is refused, because it might be served twice; requests without a key are served', async () => {
    await startFailing('claim');
    expect([(await post(CHAT, BODY)).code, gateway.provider.calls.length]).toEqual(['internal_error', 0]);
    expect((await post(CHAT, BODY, {})).status).toBe(200);
  });

  it('a generated reply is delivered, and its key stays taken', async () => {
    await startFailing('finish');
    expect((await post(CHAT, BODY)).status).toBe(200);
    expect((await post(CHAT, BODY)).message).toContain('still running');
    expect(gateway.provider.calls).toHaveLength(1);
    expect(gateway.parts.logged.some(({ msg }) => String(msg).includes('idempotency key could not be stored'))).toBe(true);
  });

  it('a refusal of the request is returned unchanged', async () => {
    await startFailing('release');
    expect((await post(CHAT, { ...BODY, model: 'unknown' })).code).toBe('model_not_found');
  });
});
