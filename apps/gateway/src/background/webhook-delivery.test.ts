import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { AesSealer, InstallationSecret, UrlWebhookTargets } from '@tollgate/adapters-node';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type AccountId, instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, ServiceTokens, SYSTEM_ACTOR, StoreUnavailable, type Webhook, type WebhookAttempt } from '@tollgate/core';
import { WEBHOOK_RETRY_MILLISECONDS, Webhooks } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { anAccount, until } from '@tollgate/testkit';
import { LOCALHOST_CERTIFICATE } from '@tollgate/testkit/mail-server';
import { createLog } from '../observability/create-log.js';
import { isSignedWith, WebhookReceiver } from '../test-support/webhook-receiver.js';
import type { ResolveName } from '../webhooks/checked-lookup.js';
import { ANSWER_MILLISECONDS, REQUESTS_AT_ONCE, WebhookSender } from '../webhooks/webhook-sender.js';
import { WEBHOOK_INTERVAL_MILLISECONDS, WEBHOOK_RECOVERY_MILLISECONDS, WebhookDelivery } from './webhook-delivery.js';

const ALICE = 'acct_alice' as AccountId;
const BOB = 'acct_bob' as AccountId;
const CRASH: ResolveName = () => Promise.reject(new Error('no name is looked up'));

let clock: ManualClock;
let store: SqlStore;
let receiver: WebhookReceiver;
let webhooks: Webhooks;
let delivery: WebhookDelivery;
let logged: Readonly<Record<string, unknown>>[];
let credits: number;

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

function sealerUnder(current: Uint8Array, previous: Uint8Array | null): AesSealer {
  return new AesSealer(new InstallationSecret(current, previous).keysFor('webhook'));
}

const sealer = sealerUnder(OLD, null);
const by = () => ({ actor: SYSTEM_ACTOR, at: clock.now() });

function deliveryOver({ resolve = CRASH, permitted = [], under = sealer, queue = store.webhookQueue }: { readonly resolve?: ResolveName; readonly permitted?: readonly string[]; readonly under?: AesSealer; readonly queue?: SqlStore['webhookQueue'] } = {}): WebhookDelivery {
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const sender = new WebhookSender({ targets: new UrlWebhookTargets(permitted), resolve, clock, ca: LOCALHOST_CERTIFICATE });
  return new WebhookDelivery({ queue, events: store.events, sealer: under, sender, clock, log });
}

beforeEach(async () => {
  // The official library compares the time of the signature with the present.
  clock = new ManualClock(instant(Date.now()));
  store = await storeInMemory(clock);
  receiver = await WebhookReceiver.start();
  [logged, credits] = [[], 0];
  webhooks = new Webhooks({ records: store.webhooks, ids: new SequentialIds(), sealer, targets: { problemOf: () => null } });
  delivery = deliveryOver();
  for (const [id, email] of [[ALICE, 'alice@example.test'], [BOB, 'bob@example.test']] as const) await store.accounts.create(anAccount({ id, email, createdAt: clock.now() }), SYSTEM_ACTOR);
  await deliver();
});
afterEach(async () => {
  await delivery.stop();
  await receiver.close();
  await store.close();
});

async function deliver(of = delivery): Promise<void> {
  await of.run();
  await of.idle();
}

async function create(owner: AccountId | null = null, url = receiver.url): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  return webhooks.create({ owner, url, types: null, description: '' }, by());
}

async function credit(accountId: AccountId, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    credits += 1;
    await store.ledger.credit({ accountId, amount: ServiceTokens.parse('1'), reference: `order ${credits}`, actor: SYSTEM_ACTOR, at: clock.now() });
  }
}

async function stateOf({ owner, id }: Webhook) {
  const page = await webhooks.deliveries({ owner, id }, { limit: 100, after: null });
  const [last = null] = page?.deliveries ?? [];
  return { webhook: await webhooks.find({ owner, id }), last };
}

it('each event is posted to a webhook once, as the feed shows it, and signed with the webhook’s secret', async () => {
  const { secret } = await create();
  await credit(ALICE);
  await deliver();
  await deliver();
  expect(receiver.received).toHaveLength(1);
  const [received] = receiver.received;
  if (received === undefined) throw new Error('an event was received');
  const [event] = await store.events.read({ after: null, limit: 10, types: ['balance.booked'], accountId: null }).then((page) => (page.outcome === 'page' ? page.events : []));
  expect(JSON.parse(received.body)).toEqual({
    type: 'balance.booked', timestamp: new Date(clock.now()).toISOString(), id: event?.id, account_id: ALICE, external_id: null, account_sequence: 2,
    data: { kind: 'top-up', amount: '1', balance: '1', reference: 'order 1', request_id: null },
  });
  expect(received.headers).toMatchObject({ 'webhook-id': event?.id, 'content-type': 'application/json' });
  expect([isSignedWith(secret, received), isSignedWith(`whsec_${'0'.repeat(40)}`, received)]).toEqual([true, false]);
});

it('queued events are delivered even if new events cannot be queued', async () => {
  await create();
  await credit(ALICE);
  await store.events.position();
  await store.webhookQueue.spread(clock.now());
  const failing = deliveryOver({ queue: Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], { spread: () => Promise.reject(new Error('one row is unreadable')) }) });
  await expect(failing.run()).rejects.toThrow('one row is unreadable');
  await failing.idle();
  expect(receiver.received).toHaveLength(1);
});

it('an unreadable webhook is reported, and does not prevent deliveries to other webhooks', async () => {
  await create();
  await credit(ALICE);
  let failures = 0;
  const claim: SqlStore['webhookQueue']['claim'] = (command) => (command.of === 'operators' && (failures += 1) <= 3 ? Promise.reject(new Error('one row is unreadable')) : store.webhookQueue.claim(command));
  const failing = deliveryOver({ queue: Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], { claim }) });
  await expect(failing.run()).rejects.toThrow('one row is unreadable');
  await failing.idle();
  expect(receiver.received).toHaveLength(1);
});

it.each([
  ['20 times a turn for webhooks that cannot be read', new Error('one row is unreadable'), 20],
  ['once a turn while the database is unavailable', new StoreUnavailable('the disk is full'), 1],
])('operators’ webhooks are claimed %s', async (_title, failure, claims) => {
  let claimed = 0;
  const claim: SqlStore['webhookQueue']['claim'] = (command) => {
    if (command.of === 'owners') return store.webhookQueue.claim(command);
    claimed += 1;
    return Promise.reject(failure);
  };
  const failing = deliveryOver({ queue: Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], { claim }) });
  await expect(failing.run()).rejects.toThrow(failure);
  expect(claimed).toBe(claims);
});

it('after a rotation, events are signed with both the old and the new secret', async () => {
  const { webhook, secret } = await create();
  const rotated = await webhooks.rotate({ owner: null, id: webhook.id }, by());
  await credit(ALICE);
  await deliver();
  const [received] = receiver.received;
  if (received === undefined || rotated === null) throw new Error('an event was received');
  expect([secret, rotated.secret].map((one) => isSignedWith(one, received))).toEqual([true, true]);
});

it('a delivery reseals webhook secrets under a new SECRET, and skips a webhook whose secret it cannot open', async () => {
  const { webhook, secret } = await create();
  const other = await create();
  await webhooks.change({ owner: null, id: other.webhook.id }, { active: false }, by());
  await credit(ALICE);
  await deliver(deliveryOver({ under: sealerUnder(NEW, OLD) }));
  await webhooks.change({ owner: null, id: other.webhook.id }, { active: true }, by());
  await credit(ALICE);
  await deliver(deliveryOver({ under: sealerUnder(NEW, null) }));
  expect(receiver.sequencesOf(ALICE)).toEqual([2, 3]);
  expect(receiver.received.every((received) => isSignedWith(secret, received))).toBe(true);
  expect(logged.map(({ msg, webhook: id }) => [msg, id])).toEqual([['the secret of a webhook cannot be opened with SECRET; rotate the secret of the webhook', other.webhook.id]]);
  expect((await stateOf(webhook)).last?.state).toBe('delivered');
});

it(`the events of one account are sent one at a time, and those of all accounts at most ${REQUESTS_AT_ONCE} at a time`, async () => {
  await create();
  const accounts = [ALICE, BOB, ...['a', 'b', 'c', 'd'].map((name) => `acct_${name}` as AccountId)];
  for (const id of accounts.slice(2)) await store.accounts.create(anAccount({ id, email: `${id}@example.test`, createdAt: clock.now() }), SYSTEM_ACTOR);
  for (const id of accounts) await credit(id, 5);
  const open = new Set<string | null>();
  let overlaps = 0;
  receiver.answering = ({ event }, res) => {
    if (open.has(event.account_id)) overlaps += 1;
    open.add(event.account_id);
    setImmediate(() => {
      open.delete(event.account_id);
      res.writeHead(200).end('ok');
    });
  };
  await deliver();
  expect(receiver.sequencesOf(ALICE)).toEqual([2, 3, 4, 5, 6]);
  expect(receiver.received).toHaveLength(4 + 5 * accounts.length);
  expect([overlaps, receiver.mostOpen]).toEqual([0, REQUESTS_AT_ONCE]);
});

it('an unreadable event is logged once and recorded as failed, and the later events are delivered', async () => {
  const { webhook } = await create();
  await credit(ALICE, 3);
  let unreadable: string | undefined;
  const due: SqlStore['webhookQueue']['due'] = async (...asked) => (await store.webhookQueue.due(...asked)).map((one) => {
    if (one.event?.accountSequence !== 3) return one;
    unreadable = one.eventId;
    return { ...one, event: null, isUnreadable: true };
  });
  const reading = deliveryOver({ queue: Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], { due }) });
  await deliver(reading);
  await deliver(reading);
  expect(receiver.sequencesOf(ALICE)).toEqual([2, 4]);
  expect(logged.map(({ level, msg, webhook: id, event }) => [level, msg, id, event])).toEqual([
    [50, 'an event for a webhook cannot be read; the webhook goes on with the next', webhook.id, unreadable],
  ]);
  const page = await webhooks.deliveries({ owner: null, id: webhook.id }, { limit: 10, after: null });
  const failed = page?.deliveries.filter(({ state }) => state === 'failed') ?? [];
  expect(failed.map(({ eventId, lastAttempt }) => [eventId, lastAttempt?.failure])).toEqual([[unreadable, 'the event cannot be read']]);
  expect((await stateOf(webhook)).webhook).toMatchObject({ failingSince: null, disabled: null });
});

it('no event is passed over while the database is unavailable', async () => {
  await create();
  await credit(ALICE, 2);
  const due: SqlStore['webhookQueue']['due'] = () => Promise.reject(new StoreUnavailable('the disk is full'));
  await deliver(deliveryOver({ queue: Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], { due }) }));
  expect(receiver.received).toHaveLength(0);
  await deliver();
  expect(receiver.sequencesOf(ALICE)).toEqual([2, 3]);
});

it('a failed delivery is repeated on schedule, and given up after the last attempt', async () => {
  const { webhook } = await create();
  await credit(ALICE);
  receiver.answering = (_received, res) => void res.writeHead(500).end('broken');
  await deliver();
  for (const [index, pause] of WEBHOOK_RETRY_MILLISECONDS.entries()) {
    const { last } = await stateOf(webhook);
    expect([last?.state, last?.attempts, last?.nextAttemptAt]).toEqual(['waiting', index + 1, later(clock.now(), pause)]);
    clock.set(later(clock.now(), pause - 1));
    await deliver();
    expect(receiver.received).toHaveLength(index + 1);
    clock.set(later(clock.now(), 1));
    await deliver();
  }
  const { last, webhook: after } = await stateOf(webhook);
  expect(last).toMatchObject({ state: 'failed', attempts: WEBHOOK_RETRY_MILLISECONDS.length + 1, lastAttempt: { status: 500, answer: 'broken', failure: 'answered 500' } });
  expect(after?.disabled).toBeNull();
  expect(logged.map(({ msg }) => msg)).toEqual(['a webhook fails; the gateway retries']);
});

it('later events of an account are delivered while an earlier one waits for its retry', async () => {
  await create();
  await credit(ALICE, 2);
  let answers = 0;
  receiver.answering = (_received, res) => {
    answers += 1;
    res.writeHead(answers === 1 ? 503 : 200).end();
  };
  await deliver();
  expect(receiver.sequencesOf(ALICE)).toEqual([2]);
  clock.set(later(clock.now(), 5 * MILLISECONDS_PER_SECOND));
  await deliver();
  expect(receiver.sequencesOf(ALICE)).toEqual([2, 3, 2]);
});

it('a webhook that answers 410 is disabled immediately', async () => {
  const { webhook } = await create();
  await credit(ALICE, 3);
  receiver.answering = (_received, res) => void res.writeHead(410).end();
  await deliver();
  expect((await stateOf(webhook)).webhook?.disabled).toEqual({ at: clock.now(), reason: 'gone' });
  clock.set(later(clock.now(), MILLISECONDS_PER_DAY));
  await deliver();
  expect(receiver.received).toHaveLength(1);
});

it('a webhook is disabled after five days of failures without a success', async () => {
  const { webhook } = await create();
  receiver.answering = ({ event }, res) => void res.writeHead(event.account_id === BOB ? 200 : 500).end();
  const pass = async (milliseconds: number): Promise<void> => {
    clock.set(later(clock.now(), milliseconds));
    await deliver();
  };
  await credit(ALICE);
  await deliver();
  await pass(4 * MILLISECONDS_PER_DAY);
  await credit(BOB);
  await pass(MILLISECONDS_PER_HOUR);
  await credit(ALICE);
  await pass(MILLISECONDS_PER_HOUR);
  for (let day = 0; day < 5; day += 1) {
    expect((await stateOf(webhook)).webhook?.disabled).toBeNull();
    await pass(MILLISECONDS_PER_DAY);
  }
  expect((await stateOf(webhook)).webhook?.disabled?.reason).toBe('failing');
});

it('a redirect is not followed', async () => {
  const { webhook } = await create();
  const other = await WebhookReceiver.start();
  receiver.answering = (_received, res) => void res.writeHead(307, { location: other.url }).end();
  await credit(ALICE);
  await deliver();
  await other.close();
  expect([other.connections, (await stateOf(webhook)).last?.lastAttempt]).toMatchObject([0, { status: 307, failure: 'answered 307; redirects are not followed' }]);
});

it('a delivery waits at most 15 seconds for the whole answer', async () => {
  const { webhook } = await create();
  for (const begin of [false, true]) {
    receiver.answering = (_received, res) => void (begin ? res.writeHead(200).write('a piece') : undefined);
    const before = receiver.received.length;
    await webhooks.test({ owner: null, id: webhook.id }, by());
    clock.set(later(clock.now(), 10 * MILLISECONDS_PER_SECOND));
    await delivery.run();
    await until(() => receiver.received.length > before);
    await clock.advanceAsync(ANSWER_MILLISECONDS - 1);
    expect(receiver.open).toBe(1);
    await clock.advanceAsync(1);
    await delivery.idle();
    expect((await stateOf(webhook)).last?.lastAttempt).toMatchObject({ status: null, milliseconds: ANSWER_MILLISECONDS, failure: 'no complete answer within 15 seconds' });
  }
});

it('an endless answer is cut off, and its first 1 KiB is kept', async () => {
  const { webhook } = await create();
  let sent = 0;
  receiver.answering = (_received, res) => {
    res.writeHead(200);
    const more = (): void => {
      while (!res.destroyed && sent < 100_000_000) {
        sent += 65_536;
        if (!res.write('x'.repeat(65_536))) return;
      }
    };
    res.on('drain', more);
    more();
  };
  await credit(ALICE);
  await deliver();
  const { last } = await stateOf(webhook);
  expect([last?.state, last?.lastAttempt?.answer]).toEqual(['delivered', 'x'.repeat(1_024)]);
  expect(sent).toBeLessThan(100_000_000);
});

it('a delivery to an unreachable server is recorded with the reason of the failure', async () => {
  const { webhook } = await create(null, 'http://127.0.0.1:9/');
  await credit(ALICE);
  await deliver();
  expect((await stateOf(webhook)).last?.lastAttempt).toMatchObject({ status: null, answer: null, failure: 'the connection was refused' });
});

it('a hanging webhook does not delay others', async () => {
  await create();
  const slow = await WebhookReceiver.start();
  slow.answering = () => undefined;
  await create(null, slow.url);
  await credit(ALICE, 3);
  await delivery.run();
  await until(() => receiver.received.length === 3 && slow.received.length === 1);
  await credit(BOB);
  await delivery.run();
  await until(() => receiver.received.length === 4);
  expect([receiver.types.length, slow.types.length]).toEqual([4, 1]);
  clock.advance(ANSWER_MILLISECONDS);
  await delivery.idle();
  await slow.close();
});

it('one turn of a webhook starts no delivery after 20 seconds, so that it ends before the webhook’s lease expires', async () => {
  await create();
  await credit(ALICE, 20);
  receiver.answering = (_received, res) => {
    clock.set(later(clock.now(), 5 * MILLISECONDS_PER_SECOND));
    res.writeHead(200).end();
  };
  const begun = clock.now();
  await deliver();
  expect([receiver.received.length, clock.now() - begun]).toEqual([4, 20 * MILLISECONDS_PER_SECOND]);
  for (let turns = 1; turns < 5; turns += 1) await deliver();
  expect(receiver.sequencesOf(ALICE)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
});

it('the database is polled every second, or half a minute after a failure', async () => {
  let looks = 0;
  let isFailing = true;
  const queue = Object.assign(Object.create(store.webhookQueue) as SqlStore['webhookQueue'], {
    spread: () => {
      looks += 1;
      return isFailing ? Promise.reject(new Error('the database is away')) : Promise.resolve(0);
    },
  });
  const troubled = deliveryOver({ queue });
  troubled.start();
  await clock.advanceAsync(WEBHOOK_INTERVAL_MILLISECONDS);
  await until(() => logged.length === 1);
  await clock.advanceAsync(WEBHOOK_RECOVERY_MILLISECONDS - 1);
  expect([looks, logged.map(({ msg }) => msg)]).toEqual([1, ['webhooks could not be delivered; the gateway retries']]);
  isFailing = false;
  await clock.advanceAsync(1);
  await until(() => looks === 2);
  await troubled.stop();
});

it('a gateway that stops leaves its running deliveries to another gateway, and counts no failure', async () => {
  const { webhook } = await create();
  receiver.answering = () => undefined;
  await credit(ALICE);
  await delivery.run();
  await until(() => receiver.received.length === 1);
  await delivery.stop();
  expect((await stateOf(webhook)).last).toMatchObject({ state: 'waiting', attempts: 0 });
  receiver.answering = (_received, res) => void res.writeHead(200).end();
  await deliver(deliveryOver());
  expect((await stateOf(webhook)).last?.state).toBe('delivered');
});

it('a webhook that a killed gateway had claimed is taken over once its lease has expired', async () => {
  const { webhook } = await create();
  await credit(ALICE);
  await store.events.position();
  await store.webhookQueue.spread(clock.now());
  await store.webhookQueue.claim({ at: clock.now(), leaseExpiresAt: later(clock.now(), 60_000), of: 'operators' });
  clock.set(later(clock.now(), 59_999));
  await deliver();
  expect(receiver.received).toHaveLength(0);
  clock.set(later(clock.now(), 1));
  await deliver();
  expect((await stateOf(webhook)).last?.state).toBe('delivered');
});

describe('webhooks of owners', () => {
  let secure: WebhookReceiver;

  beforeEach(async () => {
    secure = await WebhookReceiver.start('https');
  });
  afterEach(() => secure.close());

  /** Delivers a test event to a webhook whose name resolves to `addresses`, and returns the last attempt. */
  async function attempt(addresses: readonly string[], permitted: readonly string[]): Promise<WebhookAttempt | null | undefined> {
    const { webhook } = await create(ALICE, secure.url);
    await webhooks.test({ owner: ALICE, id: webhook.id }, by());
    const owners = deliveryOver({ permitted, resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))) });
    await deliver(owners);
    const { last } = await stateOf(webhook);
    await webhooks.delete({ owner: ALICE, id: webhook.id }, by());
    return last?.lastAttempt;
  }

  it('are reached at the checked address, with one DNS look-up', async () => {
    const { webhook } = await create(ALICE, secure.url);
    await credit(ALICE);
    await credit(BOB);
    let lookups = 0;
    const rebinding: ResolveName = () => {
      lookups += 1;
      return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    };
    await deliver(deliveryOver({ resolve: rebinding, permitted: ['127.0.0.0/8'] }));
    expect([(await stateOf(webhook)).last?.state, secure.types, lookups]).toEqual(['delivered', ['balance.booked'], 1]);
  });

  it('receive no request if any address of their host name is not public', async () => {
    const hostile = [
      ['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['100.64.0.1'], ['0.0.0.0'], ['224.0.0.1'], ['::1'], ['::'], ['::ffff:127.0.0.1'], ['::ffff:7f00:1'], ['::127.0.0.1'],
      ['64:ff9b::7f00:1'], ['fe80::1'], ['fd00::1'], ['ff02::1'], ['1.1.1.1', '127.0.0.1'], ['127.0.0.1', '1.1.1.1'], ['2606:4700::1111', '::1'], [],
    ];
    for (const addresses of hostile) {
      expect([addresses, await attempt(addresses, ['203.0.113.0/24'])]).toMatchObject([addresses, { status: null, failure: 'the name resolves to an address that is not public' }]);
    }
    expect(secure.connections).toBe(0);
  });

  it('receive no request once their URL is no longer permitted', async () => {
    expect(await attempt(['127.0.0.1'], [])).toMatchObject({ status: null, failure: 'url: must be a public address on the internet' });
    expect(secure.connections).toBe(0);
  });
});
