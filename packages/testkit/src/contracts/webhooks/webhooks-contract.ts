import {
  type AccountId, type AuditTrail, type EventId, type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, NO_AUDIT_FILTERS, ServiceTokens, SYSTEM_ACTOR,
  type Webhook, type WebhookId,
} from '@tollgate/core';
import {
  type DueDelivery, type IdentityIdGenerator, MAX_OPERATOR_WEBHOOKS, MAX_OWNER_WEBHOOKS, type SecretSealer, type WebhookName, type WebhookQueue, type WebhookRecords, Webhooks,
  type WebhookTurn,
} from '@tollgate/identity';
import { anAccount } from '../../builders/builders.js';
import type { EventsSubject } from '../events/events-subject.js';
import { readAll } from '../events/events-subject.js';
import { deleteAccount, STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

/** One empty store, opened by two gateways. */
export interface WebhooksSubject {
  readonly store: EventsSubject & { readonly webhooks: WebhookRecords; readonly webhookQueue: WebhookQueue; readonly auditTrail: AuditTrail };
  readonly other: { readonly webhooks: WebhookRecords; readonly webhookQueue: WebhookQueue };
  readonly sealer: SecretSealer;
  readonly ids: IdentityIdGenerator;
  close?(): Promise<void>;
}

const URL_TEXT = 'https://shop.example.test/hook';
const NO_SUCH: WebhookName = { owner: null, id: 'hook_none' as WebhookId };
const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const LEASE = MILLISECONDS_PER_MINUTE;

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

function nameOf({ owner, id }: Webhook): WebhookName {
  return { owner, id };
}

/** Tests what every database guarantees about webhooks and their deliveries. */
export function webhooksContract(name: string, make: () => Promise<WebhooksSubject>): void {
  describe(`webhooks contract: ${name}`, () => {
    let subject: WebhooksSubject;
    let webhooks: Webhooks;
    let credits = 0;

    beforeEach(async () => {
      subject = await make();
      webhooks = over(subject.store.webhooks);
      await subject.store.accounts.create(anAccount({ id: STORE_ALICE }), SYSTEM_ACTOR);
      await subject.store.accounts.create(anAccount({ id: STORE_BOB, email: 'bob@example.test' }), SYSTEM_ACTOR);
      await spreadAll();
    });
    afterEach(() => subject.close?.());

    function over(records: WebhookRecords): Webhooks {
      return new Webhooks({ records, ids: subject.ids, sealer: subject.sealer, targets: { problemOf: () => null } });
    }

    async function create(owner: AccountId | null, types: Webhook['types'] = null, at = STORE_NOON): Promise<Webhook> {
      return (await webhooks.create({ owner, url: URL_TEXT, types, description: 'The shop' }, { ...BY, at })).webhook;
    }

    async function credit(accountId: AccountId, at = STORE_NOON): Promise<void> {
      credits += 1;
      await subject.store.ledger.credit({ accountId, amount: ServiceTokens.parse('1'), reference: `order ${credits}`, actor: SYSTEM_ACTOR, at });
    }

    async function spreadAll(at = STORE_NOON): Promise<void> {
      do await subject.store.events.position(); while (await subject.store.webhookQueue.spread(at) > 0);
    }

    async function claim(at = STORE_NOON, queue = subject.store.webhookQueue): Promise<WebhookTurn | null> {
      return await queue.claim({ at, leaseExpiresAt: later(at, LEASE), of: 'operators' }) ?? await queue.claim({ at, leaseExpiresAt: later(at, LEASE), of: 'owners' });
    }

    async function turn(at = STORE_NOON): Promise<WebhookTurn> {
      const claimed = await claim(at);
      if (claimed === null) throw new Error('no webhook is due');
      return claimed;
    }

    function due({ id }: Webhook, at = STORE_NOON): Promise<readonly DueDelivery[]> {
      return subject.store.webhookQueue.due(id, at, 100);
    }

    async function answer(claimed: WebhookTurn, delivery: DueDelivery, status: number | null, at: Instant, nextAttemptAt: Instant | null = null): Promise<void> {
      const isSuccess = status !== null && status < 300;
      await subject.store.webhookQueue.record(claimed, {
        delivery, nextAttemptAt, attempt: { at, milliseconds: 12, status, answer: 'ok', failure: isSuccess ? null : 'it failed' },
      });
    }

    const sequencesOf = (deliveries: readonly DueDelivery[]) => deliveries.map(({ event }) => event?.accountSequence);

    it('queues each event once for each webhook that subscribes to it, in the order of the feed', async () => {
      const [all, some, own] = [await create(null), await create(null, ['balance.low', 'account.changed']), await create(STORE_ALICE)];
      for (const accountId of [STORE_ALICE, STORE_BOB, STORE_ALICE]) await credit(accountId);
      await subject.store.events.position();
      await Promise.all([subject.store.webhookQueue.spread(STORE_NOON), subject.other.webhookQueue.spread(STORE_NOON)]);
      await spreadAll();
      const booked = (await readAll(subject.store.events)).filter(({ type }) => type === 'balance.booked');
      expect((await due(all)).map(({ event }) => event)).toEqual(booked);
      expect(await due(some)).toEqual([]);
      expect((await due(own)).map(({ event }) => event)).toEqual(booked.filter(({ accountId }) => accountId === STORE_ALICE));
    });

    it('lets one gateway at a time deliver to a webhook, and another one after the lease has expired', async () => {
      const webhook = await create(null);
      await credit(STORE_ALICE);
      await spreadAll();
      const [one, two] = await Promise.all([claim(), claim(STORE_NOON, subject.other.webhookQueue)]);
      expect([one, two].filter((claimed) => claimed !== null)).toMatchObject([{ webhook: { id: webhook.id }, number: 1 }]);
      expect(await claim(after(LEASE - 1))).toBeNull();
      const next = await turn(after(LEASE));
      expect(next.number).toBe(2);
      // The first gateway finishes after its lease has expired, when another gateway holds the lease.
      const first = one ?? two;
      if (first !== null) await subject.store.webhookQueue.finish(first, after(LEASE), after(LEASE));
      expect(await claim(after(LEASE))).toBeNull();
    });

    it('records only the first of two results of a delivery, and continues with the events after a failed one', async () => {
      const webhook = await create(STORE_ALICE);
      for (let times = 0; times < 3; times += 1) await credit(STORE_ALICE);
      await spreadAll();
      const claimed = await turn();
      const [first, second, third] = await due(webhook);
      if (first === undefined || second === undefined || third === undefined) throw new Error('fewer than three events are due');
      await answer(claimed, first, 200, STORE_NOON);
      await answer(claimed, first, 500, STORE_NOON, after(1));
      await answer(claimed, second, 500, STORE_NOON, after(5000));
      expect(sequencesOf(await due(webhook))).toEqual([4]);
      await answer(claimed, third, 200, STORE_NOON);
      await subject.store.webhookQueue.finish(claimed, STORE_NOON, after(1000));
      expect(await claim(after(4999))).toBeNull();
      expect((await turn(after(5000))).number).toBe(2);
      expect((await due(webhook, after(5000))).map(({ attempts }) => attempts)).toEqual([1]);
      const page = await webhooks.deliveries(nameOf(webhook), { limit: 10, after: null });
      expect(page?.deliveries.map(({ accountSequence, state, attempts, lastAttempt }) => [accountSequence, state, attempts, lastAttempt?.status]).toSorted()).toEqual([
        [2, 'delivered', 1, 200], [3, 'waiting', 1, 500], [4, 'delivered', 1, 200],
      ]);
    });

    it('records no result from a gateway whose lease on the webhook another gateway has taken over', async () => {
      const webhook = await create(null);
      for (let times = 0; times < 2; times += 1) await credit(STORE_ALICE);
      await spreadAll();
      const outdated = await turn();
      const [first, second] = await due(webhook);
      if (first === undefined || second === undefined) throw new Error('fewer than two events are due');
      const inForce = await turn(after(LEASE));
      await answer(outdated, first, 500, after(LEASE), after(LEASE + 1));
      expect([(await webhooks.find(nameOf(webhook)))?.failingSince, (await due(webhook, after(LEASE))).map(({ attempts }) => attempts)]).toEqual([null, [0, 0]]);
      expect(await subject.store.webhookQueue.disable(outdated, 'gone', after(LEASE))).toBe(false);
      await answer(inForce, first, 500, after(LEASE), after(2 * LEASE));
      await answer(outdated, second, 200, after(LEASE));
      expect(await webhooks.find(nameOf(webhook))).toMatchObject({ disabled: null, failingSince: after(LEASE) });
      expect(sequencesOf(await due(webhook, after(LEASE)))).toEqual([3]);
    });

    it('ends the delivery of a removed event without counting it as a failure of the webhook', async () => {
      const webhook = await create(STORE_ALICE);
      for (let times = 0; times < 2; times += 1) await credit(STORE_ALICE);
      await spreadAll();
      while (await subject.store.events.prune(after(1)) > 0);
      const claimed = await turn();
      const [removed, last] = await due(webhook);
      if (removed === undefined || last === undefined) throw new Error('fewer than two events are due');
      expect([removed.event, removed.isUnreadable, last.event?.accountSequence, last.isUnreadable]).toEqual([null, false, 3, false]);
      await answer(claimed, removed, null, STORE_NOON);
      expect((await webhooks.find(nameOf(webhook)))?.failingSince).toBeNull();
      expect(sequencesOf(await due(webhook))).toEqual([3]);
    });

    it('records since when a webhook fails, disables it, and on a resend enables it and delivers what it missed', async () => {
      const webhook = await create(null);
      await credit(STORE_ALICE);
      await spreadAll();
      const claimed = await turn();
      const [delivery] = await due(webhook);
      if (delivery === undefined) throw new Error('no event is due');
      await answer(claimed, delivery, null, STORE_NOON);
      expect((await webhooks.find(nameOf(webhook)))?.failingSince).toBe(STORE_NOON);
      await subject.store.webhookQueue.disable(claimed, 'failing', after(1));
      await subject.store.webhookQueue.finish(claimed, after(1), after(1));
      expect((await webhooks.find(nameOf(webhook)))?.disabled).toEqual({ at: after(1), reason: 'failing' });
      await credit(STORE_BOB, after(2));
      await spreadAll(after(2));
      expect(await claim(after(2))).toBeNull();
      expect(await webhooks.test(nameOf(webhook), { ...BY, at: after(2) })).toBeNull();
      expect(await webhooks.resend(nameOf(webhook), { since: STORE_NOON }, { ...BY, at: after(3) })).toBe('queued');
      await spreadAll(after(3));
      expect(await webhooks.find(nameOf(webhook))).toMatchObject({ disabled: null, failingSince: null });
      expect((await due(webhook, after(3))).filter(({ event }) => event?.type === 'balance.booked').map(({ event }) => event?.accountId)).toEqual([STORE_ALICE, STORE_BOB]);
      expect((await turn(after(3))).webhook.id).toBe(webhook.id);
    });

    it('resends all undelivered events since a time, or one event, delivered or not', async () => {
      const webhook = await create(STORE_ALICE);
      for (const at of [0, MILLISECONDS_PER_HOUR, 2 * MILLISECONDS_PER_HOUR]) await credit(STORE_ALICE, after(at));
      await spreadAll();
      const claimed = await turn();
      const [first, second, third] = await due(webhook);
      if (first === undefined || second === undefined || third === undefined) throw new Error('fewer than three events are due');
      await answer(claimed, first, 500, STORE_NOON);
      await answer(claimed, second, 200, STORE_NOON);
      await answer(claimed, third, 500, STORE_NOON);
      await webhooks.resend(nameOf(webhook), { since: after(1) }, BY);
      await spreadAll();
      expect(sequencesOf(await due(webhook))).toEqual([4]);
      expect(await webhooks.resend(nameOf(webhook), { eventId: second.eventId as EventId }, BY)).toBe('queued');
      expect(sequencesOf(await due(webhook))).toEqual([3, 4]);
      const [bobs] = (await readAll(subject.store.events)).filter(({ accountId }) => accountId === STORE_BOB);
      expect(await webhooks.resend(nameOf(webhook), { eventId: bobs?.id ?? second.eventId as EventId }, BY)).toBe('no-such-event');
      expect(await webhooks.resend(NO_SUCH, { since: STORE_NOON }, BY)).toBe('no-such-webhook');
    });

    it('resends one event of a type to which the webhook does not subscribe', async () => {
      const webhook = await create(STORE_ALICE, ['balance.low']);
      await credit(STORE_ALICE);
      await spreadAll();
      expect(await due(webhook)).toEqual([]);
      const [booked] = (await readAll(subject.store.events)).filter(({ accountId, type }) => accountId === STORE_ALICE && type === 'balance.booked');
      expect(await webhooks.resend(nameOf(webhook), { eventId: booked?.id ?? '' as EventId }, BY)).toBe('queued');
      expect((await due(webhook)).map(({ eventId }) => eventId)).toEqual([booked?.id]);
    });

    it('sends a test that is not an event of the feed', async () => {
      const webhook = await create(STORE_ALICE, ['balance.low']);
      const id = await webhooks.test(nameOf(webhook), { ...BY, at: after(7) });
      expect((await due((await turn(after(7))).webhook)).map(({ event }) => event)).toEqual([
        { id, type: 'webhook.test', accountId: STORE_ALICE, externalId: null, accountSequence: null, at: after(7), data: {} },
      ]);
      expect(await webhooks.test(NO_SUCH, { ...BY, at: STORE_NOON })).toBeNull();
    });

    it('shows a secret once, and signs with the old and the new one for 24 hours after a rotation', async () => {
      const { webhook, secret } = await webhooks.create({ owner: null, url: URL_TEXT, types: null, description: '' }, BY);
      const rotated = await webhooks.rotate(nameOf(webhook), BY);
      const opened = (sealed: string | null) => (sealed === null ? null : String.fromCharCode(...subject.sealer.open(sealed, webhook.id)?.secret ?? []));
      await webhooks.test(nameOf(webhook), { ...BY, at: STORE_NOON });
      const claimed = await turn();
      expect([opened(claimed.sealedSecret), opened(claimed.sealedPreviousSecret)]).toEqual([rotated?.secret, secret]);
      expect(JSON.stringify(await webhooks.list(null))).not.toContain('whsec');
      const next = await turn(after(MILLISECONDS_PER_DAY));
      expect([opened(next.sealedSecret), next.sealedPreviousSecret]).toEqual([rotated?.secret, null]);
    });

    it('separates the webhooks of owners from those of operators, and limits the number of both', async () => {
      const own = await create(STORE_ALICE);
      for (const owner of [null, STORE_BOB]) {
        const foreign = { owner, id: own.id };
        expect([await webhooks.find(foreign), await webhooks.change(foreign, { description: 'x' }, BY), await webhooks.rotate(foreign, BY), await webhooks.delete(foreign, BY)]).toEqual([null, null, null, false]);
        expect([await webhooks.test(foreign, { ...BY, at: STORE_NOON }), await webhooks.resend(foreign, { since: STORE_NOON }, BY), await webhooks.deliveries(foreign, { limit: 1, after: null })]).toEqual([null, 'no-such-webhook', null]);
      }
      for (const [owner, maximum] of [[STORE_ALICE, MAX_OWNER_WEBHOOKS], [null, MAX_OPERATOR_WEBHOOKS]] as const) {
        const elsewhere = over(subject.other.webhooks);
        const attempts = Array.from({ length: maximum + 3 }, (_, number) => (number % 2 === 0 ? webhooks : elsewhere).create({ owner, url: URL_TEXT, types: null, description: '' }, BY));
        await Promise.allSettled(attempts);
        expect((await webhooks.list(owner)).length).toBe(maximum);
      }
      await expect(create(STORE_ALICE)).rejects.toMatchObject({ code: 'conflict' });
    });

    it('changes, disables and enables a webhook, and audits every change without a secret', async () => {
      const webhook = await create(STORE_ALICE);
      await webhooks.change(nameOf(webhook), { url: 'https://other.example.test/', types: ['key.created', 'account.changed'] }, BY);
      expect(await webhooks.find(nameOf(webhook))).toMatchObject({ url: 'https://other.example.test/', types: ['account.changed', 'key.created'], description: 'The shop' });
      await webhooks.change(nameOf(webhook), { active: false }, BY);
      await webhooks.change(nameOf(webhook), { active: false }, BY);
      expect((await webhooks.find(nameOf(webhook)))?.disabled).toEqual({ at: STORE_NOON, reason: 'requested' });
      await webhooks.change(nameOf(webhook), { active: true }, BY);
      await webhooks.rotate(nameOf(webhook), BY);
      expect(await webhooks.delete(nameOf(webhook), BY)).toBe(true);
      expect(await webhooks.delete(nameOf(webhook), BY)).toBe(false);
      const page = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: 20, cursor: null });
      const acts = page?.records.filter(({ action }) => action.startsWith('webhook.')) ?? [];
      expect(acts.map(({ action, details }) => [action, details])).toEqual([
        ['webhook.deleted', {}], ['webhook.rotated', { previousExpiresAt: after(MILLISECONDS_PER_DAY) }], ['webhook.changed', { active: true }], ['webhook.changed', { active: false }],
        ['webhook.changed', { types: ['account.changed', 'key.created'] }], ['webhook.created', { types: null }],
      ]);
      expect(JSON.stringify(page?.records)).not.toContain('whsec');
    });

    it('removes old deliveries, the deliveries of a deleted webhook, and all webhooks of a deleted account', async () => {
      const [kept, own] = [await create(null), await create(STORE_ALICE)];
      await credit(STORE_ALICE);
      await spreadAll();
      await deleteAccount(subject.store, STORE_ALICE);
      expect(await webhooks.list(STORE_ALICE)).toEqual([]);
      await spreadAll();
      const pruneAll = async (before: Instant): Promise<void> => {
        while (await subject.store.webhookQueue.prune(before) > 0);
      };
      await pruneAll(STORE_NOON);
      expect(await due(own)).toEqual([]);
      expect((await due(kept)).length).toBeGreaterThan(1);
      await pruneAll(after(1));
      expect(await due(kept)).toEqual([]);
    });

    it('lists deliveries page by page, newest first', async () => {
      const webhook = await create(STORE_ALICE);
      for (let times = 0; times < 3; times += 1) await webhooks.test(nameOf(webhook), { ...BY, at: after(times) });
      const first = await webhooks.deliveries(nameOf(webhook), { limit: 2, after: null });
      const second = await webhooks.deliveries(nameOf(webhook), { limit: 2, after: first?.next ?? null });
      expect([first, second].map((page) => page?.deliveries.map(({ createdAt }) => createdAt - STORE_NOON))).toEqual([[2, 1], [0]]);
      expect(second?.next).toBeNull();
      expect(await webhooks.deliveries(nameOf(webhook), { limit: 2, after: 'x' })).toBeNull();
    });
  });
}
