import { type AccountId, type AccountRepository, type Instant, later, SYSTEM_ACTOR } from '@tollgate/core';
import { ANY_MAIL, type ClaimedMail, MAIL_BOUNDS, MAIL_RANKS, type MailBounds, type MailFilter, type MailId, type MailOutbox, type StoredMail } from '@tollgate/identity';
import { anAccount } from '../builders/builders.js';
import { STORE_NOON } from './store-subject.js';
import { afterEach, describe, expect, it } from './test-runner.js';

interface MailOutboxSubject {
  readonly mail: MailOutbox;
  readonly accounts: AccountRepository;
  close?(): Promise<void>;
}

type MakeMailOutbox = () => MailOutboxSubject | Promise<MailOutboxSubject>;

const ALICE = 'acct_alice' as AccountId;
const BOB = 'acct_bob' as AccountId;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MANY = 1000;
/** Bounds so high that a test reaches only those that it lowers itself. */
const ROOMY: MailBounds = { ...MAIL_BOUNDS, all: MANY, people: MANY, repeated: MANY, unverified: MANY, unverifiedOfBusyDomains: MANY, unverifiedOfDomain: MANY };
const DELIVERED = { state: 'delivered' } as const;
const GIVEN_UP = { state: 'given-up', failure: '550 5.1.1' } as const;

/** A message whose id and reference are different for each number. */
export function aStoredMail(number: number, differences: Partial<StoredMail> = {}): StoredMail {
  const storedAt = differences.storedAt ?? STORE_NOON;
  return {
    id: `mail_${number}` as MailId, reference: `reference ${number}`, kind: 'test', to: `person${number}@host${number}.test`, accountId: null, rank: 'verified',
    subject: `Message ${number}`, text: `Grüße 你好 👋 ${number}\n`, html: `<p>${number}</p>`,
    storedAt, expiresAt: later(storedAt, DAY), ...differences,
  };
}

export function mailOutboxContract(name: string, make: MakeMailOutbox): void {
  describe(`MailOutbox contract: ${name}`, () => {
    let subject: MailOutboxSubject | null = null;
    let outbox: MailOutbox;

    async function start(): Promise<void> {
      subject = await make();
      outbox = subject.mail;
    }
    afterEach(async () => {
      await subject?.close?.();
      subject = null;
    });

    function claim(at: Instant = STORE_NOON, most = MANY): Promise<readonly ClaimedMail[]> {
      return outbox.claim({ at, leaseExpiresAt: later(at, 2 * MINUTE), most, ranks: MAIL_RANKS });
    }

    async function claimOne(at: Instant = STORE_NOON): Promise<ClaimedMail> {
      const [mail] = await claim(at, 1);
      if (mail === undefined) throw new Error('no message is due');
      return mail;
    }

    async function storedInTurn(mails: readonly StoredMail[], bounds: MailBounds): Promise<readonly string[]> {
      const outcomes: string[] = [];
      for (const mail of mails) outcomes.push(await outbox.store(mail, bounds));
      return outcomes;
    }

    const numbersOf = (mails: readonly ClaimedMail[]): readonly string[] => mails.map(({ id }) => id);

    it('is empty at first', async () => {
      await start();
      expect([await claim(), await outbox.status(STORE_NOON)]).toEqual([[], { waiting: 0, nextDueAt: null }]);
    });

    it('claims a stored message unchanged, as the first attempt to deliver it', async () => {
      await start();
      expect(await outbox.store(aStoredMail(1))).toBe('stored');
      expect(await outbox.status(STORE_NOON)).toEqual({ waiting: 1, nextDueAt: STORE_NOON });
      expect(await claim()).toEqual([{ ...aStoredMail(1), attempt: 1 }]);
    });

    it('stores one message per reference, even after that message was delivered', async () => {
      await start();
      const sameReference = { reference: aStoredMail(1).reference };
      const outcomes = await Promise.all([1, 2, 3, 4].map((number) => outbox.store(aStoredMail(number, sameReference))));
      expect(outcomes.toSorted()).toEqual(['repeated', 'repeated', 'repeated', 'stored']);
      await outbox.finish(await claimOne(), DELIVERED, STORE_NOON);
      expect(await outbox.store(aStoredMail(5, sameReference))).toBe('repeated');
      expect(await outbox.status(STORE_NOON)).toEqual({ waiting: 0, nextDueAt: null });
    });

    it('accepts a message that it already contains, and keeps it once', async () => {
      await start();
      await outbox.store(aStoredMail(1));
      expect([await outbox.store(aStoredMail(1)), await outbox.status(STORE_NOON)]).toEqual(['stored', { waiting: 1, nextDueAt: STORE_NOON }]);
    });

    it('refuses messages beyond the maximum number, and accepts one again after another was given up', async () => {
      await start();
      const bounds = { ...ROOMY, all: 2 };
      expect(await storedInTurn([1, 2, 3].map((number) => aStoredMail(number)), bounds)).toEqual(['stored', 'stored', 'full']);
      expect(await outbox.store(aStoredMail(9, { reference: aStoredMail(1).reference }), bounds)).toBe('repeated');
      await outbox.finish(await claimOne(), GIVEN_UP, STORE_NOON);
      expect(await outbox.store(aStoredMail(3), bounds)).toBe('stored');
    });

    it('reserves room for mail to operators, and does not count that mail against the maximum of other mail', async () => {
      await start();
      const bounds = { ...ROOMY, all: 4, people: 2 };
      const mails = ['operator', 'verified', 'unverified', 'verified', 'unverified', 'operator', 'operator'] as const;
      expect(await storedInTurn(mails.map((rank, number) => aStoredMail(number, { rank })), bounds)).toEqual(['stored', 'stored', 'stored', 'full', 'dropped', 'stored', 'full']);
    });

    it('reserves room for people who have no mail waiting', async () => {
      await start();
      const bounds = { ...ROOMY, people: 3, repeated: 2 };
      const to = 'person@example.test';
      expect(await storedInTurn([1, 2, 3].map((number) => aStoredMail(number, { to })), bounds)).toEqual(['stored', 'stored', 'full']);
      expect(await storedInTurn([4, 5].map((number) => aStoredMail(number)), bounds)).toEqual(['stored', 'full']);
    });

    it('reserves room for unverified addresses of domains that have little mail waiting', async () => {
      await start();
      const bounds = { ...ROOMY, unverified: 4, unverifiedOfBusyDomains: 3, domainIsBusyFrom: 2 };
      const mails = [...[1, 2, 3, 4].map((number) => ({ number, to: `person@host${number}.Busy.test` })), { number: 5, to: 'person@quiet.test' }, { number: 6, to: 'person@other.test' }];
      const outcomes = await storedInTurn(mails.map(({ number, to }) => aStoredMail(number, { rank: 'unverified', to })), bounds);
      expect(outcomes).toEqual(['stored', 'stored', 'stored', 'dropped', 'stored', 'dropped']);
    });

    it('claims at most the given number of messages, the longest due first, and new ones even if the gateway’s clock is behind', async () => {
      await start();
      for (const [number, delay] of [[1, 3], [2, 1], [3, 2], [4, 10]] as const) await outbox.store(aStoredMail(number, { storedAt: later(STORE_NOON, delay) }));
      expect(await outbox.status(STORE_NOON)).toEqual({ waiting: 4, nextDueAt: STORE_NOON });
      expect(numbersOf(await claim(STORE_NOON, 2))).toEqual(['mail_2', 'mail_3']);
      expect(numbersOf(await claim(STORE_NOON))).toEqual(['mail_1', 'mail_4']);
    });

    it('claims mail to operators first, then to verified people, then to unverified addresses', async () => {
      await start();
      for (const [number, rank] of [[1, 'unverified'], [2, 'verified'], [3, 'operator'], [4, 'unverified']] as const) await outbox.store(aStoredMail(number, { rank }));
      expect(numbersOf(await claim(STORE_NOON, 3))).toEqual(['mail_3', 'mail_2', 'mail_1']);
      expect(await outbox.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), most: 9, ranks: ['operator', 'verified'] })).toEqual([]);
    });

    it('claims no second message to a domain or its subdomains until the first is finished or postponed, or loses its lease', async () => {
      await start();
      for (const number of [1, 2, 3]) await outbox.store(aStoredMail(number, { to: `person${number}@Host${number}.Example.test` }));
      const claims = await Promise.all(Array.from({ length: 4 }, () => claim()));
      const [first, ...others] = claims.flat();
      expect([first?.id, others]).toEqual(['mail_1', []]);
      if (first === undefined) throw new Error('no message was claimed');
      await outbox.finish(first, DELIVERED, STORE_NOON);
      const second = await claimOne();
      await outbox.putOff(second, { at: STORE_NOON, until: later(STORE_NOON, DAY) }, '450');
      expect(numbersOf(await claim())).toEqual(['mail_3']);
      expect(numbersOf(await claim(later(STORE_NOON, 2 * MINUTE)))).toEqual(['mail_3']);
    });

    it('drops mail to unverified addresses beyond the maximum of their domain, but accepts mail to verified people', async () => {
      await start();
      const bounds = { ...ROOMY, unverifiedOfDomain: 3 };
      const unverified = [1, 2, 3, 4, 1].map((number) => aStoredMail(number, { rank: 'unverified', to: `person@host${number}.example.test` }));
      expect(await storedInTurn([...unverified, aStoredMail(5, { rank: 'unverified' }), aStoredMail(6, { to: 'person@host6.example.test' })], bounds))
        .toEqual(['stored', 'stored', 'stored', 'dropped', 'stored', 'stored', 'stored']);
    });

    it('gives each message to one of several concurrent claims', async () => {
      await start();
      for (let number = 0; number < 40; number += 1) await outbox.store(aStoredMail(number));
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim(STORE_NOON, 5)));
      const more = await claim();
      const claimed = [...claims.flat(), ...more];
      expect(claimed).toHaveLength(40);
      expect(new Set(numbersOf(claimed)).size).toBe(40);
    });

    it('lets a later attempt claim a message whose lease has expired, and then ignores the outcome of the earlier attempt', async () => {
      await start();
      await outbox.store(aStoredMail(1));
      const first = await claimOne();
      const expiry = later(STORE_NOON, 2 * MINUTE);
      expect([await claim(later(expiry, -1)), await outbox.status(STORE_NOON)]).toEqual([[], { waiting: 1, nextDueAt: expiry }]);
      const second = await claimOne(expiry);
      expect(second).toEqual({ ...first, attempt: 2 });
      await outbox.finish(first, DELIVERED, expiry);
      await outbox.putOff(first, { at: expiry, until: later(expiry, DAY) }, '450');
      expect(await outbox.status(STORE_NOON)).toEqual({ waiting: 1, nextDueAt: later(expiry, 2 * MINUTE) });
      await outbox.finish(second, DELIVERED, expiry);
      expect(await outbox.status(STORE_NOON)).toEqual({ waiting: 0, nextDueAt: null });
    });

    it('does not claim a postponed message before it is due again', async () => {
      await start();
      await outbox.store(aStoredMail(1));
      const until = later(STORE_NOON, 30 * MINUTE);
      await outbox.putOff(await claimOne(), { at: STORE_NOON, until }, '450');
      expect([await claim(later(until, -1)), await outbox.status(STORE_NOON)]).toEqual([[], { waiting: 1, nextDueAt: until }]);
      expect(await claimOne(until)).toMatchObject({ id: 'mail_1', attempt: 2 });
    });

    it.each([DELIVERED, GIVEN_UP])('never again claims a message that was $state', async (end) => {
      await start();
      await outbox.store(aStoredMail(1));
      const mail = await claimOne();
      await outbox.finish(mail, end, STORE_NOON);
      await outbox.putOff(mail, { at: STORE_NOON, until: STORE_NOON }, '450');
      expect(await claim(later(STORE_NOON, DAY))).toEqual([]);
    });

    it('deletes only messages that were delivered or given up before a date, together with their references', async () => {
      await start();
      for (const number of [1, 2, 3]) await outbox.store(aStoredMail(number));
      const [first, second] = await claim();
      if (first === undefined || second === undefined) throw new Error('fewer than two messages are due');
      await outbox.finish(first, DELIVERED, STORE_NOON);
      await outbox.finish(second, GIVEN_UP, later(STORE_NOON, 1));
      expect(await outbox.forget({ traced: later(STORE_NOON, 1), remembered: STORE_NOON })).toBe(1);
      expect((await outbox.list({ limit: MANY, after: null })).map(({ id }) => id).toSorted()).toEqual([second.id, 'mail_3'].toSorted());
      const again = [first, second].map((mail, number) => outbox.store(aStoredMail(10 + number, { reference: mail.reference })));
      expect(await Promise.all(again)).toEqual(['stored', 'repeated']);
      expect((await outbox.status(STORE_NOON)).waiting).toBe(2);
    });

    it('deletes the oldest delivered messages beyond a maximum number, but none delivered after a given time', async () => {
      await start();
      for (const number of [1, 2, 3, 4]) await outbox.store(aStoredMail(number));
      for (const [place, mail] of (await claim()).slice(0, 3).entries()) await outbox.finish(mail, DELIVERED, later(STORE_NOON, place));
      const traced = later(STORE_NOON, -DAY);
      expect(await outbox.forget({ traced, remembered: later(STORE_NOON, 9), most: 3 })).toBe(0);
      expect(await outbox.forget({ traced, remembered: STORE_NOON, most: 1 })).toBe(0);
      expect(await outbox.forget({ traced, remembered: later(STORE_NOON, 9), most: 1 })).toBe(2);
      expect((await outbox.list({ limit: MANY, after: null })).map(({ state }) => state).toSorted()).toEqual(['delivered', 'waiting']);
    });

    it('lists messages without their contents, newest first, with their state and last failure', async () => {
      await start();
      for (const number of [1, 2, 3]) await outbox.store(aStoredMail(number, { storedAt: later(STORE_NOON, number) }));
      const claimed = await outbox.claim({ at: later(STORE_NOON, 2), leaseExpiresAt: later(STORE_NOON, MINUTE), most: 2, ranks: MAIL_RANKS });
      const [first, second] = claimed;
      if (first === undefined || second === undefined) throw new Error('fewer than two messages are due');
      await outbox.finish(first, GIVEN_UP, later(STORE_NOON, 5));
      await outbox.putOff(second, { at: STORE_NOON, until: later(STORE_NOON, DAY) }, 'ECONNREFUSED');
      const newest = await outbox.list({ limit: 2, after: null });
      expect(newest).toEqual([
        {
          id: 'mail_3', kind: 'test', accountId: null, to: 'person3@host3.test', subject: 'Message 3', state: 'waiting', attempts: 0, lastFailure: null,
          storedAt: later(STORE_NOON, 3), dueAt: later(STORE_NOON, 3), endedAt: null,
        },
        {
          id: 'mail_2', kind: 'test', accountId: null, to: 'person2@host2.test', subject: 'Message 2', state: 'waiting', attempts: 1, lastFailure: 'ECONNREFUSED',
          storedAt: later(STORE_NOON, 2), dueAt: later(STORE_NOON, DAY), endedAt: null,
        },
      ]);
      expect(await outbox.list({ limit: 2, after: newest[1] ?? null })).toEqual([{
        id: 'mail_1', kind: 'test', accountId: null, to: 'person1@host1.test', subject: null, state: 'given-up', attempts: 1, lastFailure: '550 5.1.1', storedAt: later(STORE_NOON, 1), dueAt: null, endedAt: later(STORE_NOON, 5),
      }]);
    });

    it.each<[Partial<MailFilter>, readonly number[]]>([
      [{}, [4, 3, 2, 1]], [{ state: 'waiting' }, [4, 3, 2]], [{ state: 'given-up' }, [1]], [{ kind: 'invitation' }, [3, 1]], [{ accountId: ALICE }, [2]], [{ accountId: BOB }, [4, 3]],
      [{ to: 'RSON@HOST' }, [3, 2, 1]], [{ to: 'grü[ß]*' }, [4]], [{ to: '@host_' }, []], [{ kind: 'invitation', accountId: BOB, state: 'waiting', to: 'host3' }, [3]],
    ])('lists only messages that match %j, page by page', async (filter, expected) => {
      await start();
      await subject?.accounts.create(anAccount({ id: BOB, email: 'Person@host3.test' }), SYSTEM_ACTOR);
      await outbox.store(aStoredMail(1, { kind: 'invitation', to: 'Person@host1.test' }));
      await outbox.finish(await claimOne(), GIVEN_UP, STORE_NOON);
      await outbox.store(aStoredMail(2, { accountId: ALICE, to: 'person@host2.test', storedAt: later(STORE_NOON, 2) }));
      await outbox.store(aStoredMail(3, { kind: 'invitation', to: 'person@host3.test', storedAt: later(STORE_NOON, 3) }));
      await outbox.store(aStoredMail(4, { accountId: BOB, to: 'GRÜ[ß]*@example.test', storedAt: later(STORE_NOON, 4) }));
      const wanted = { ...ANY_MAIL, ...filter };
      const found: MailId[] = [];
      for (let page = await outbox.list({ limit: 1, after: null, filter: wanted }); page.length > 0; page = await outbox.list({ limit: 1, after: page[0] ?? null, filter: wanted })) found.push(...page.map(({ id }) => id));
      expect(found).toEqual(expected.map((number) => `mail_${number}`));
    });

    it('finds a message by its id', async () => {
      await start();
      const to = 'person@example.test';
      for (const number of [1, 2, 3]) await outbox.store(aStoredMail(number, { to, storedAt: later(STORE_NOON, number) }));
      expect(await outbox.find('mail_2' as MailId)).toMatchObject({ id: 'mail_2', to, storedAt: later(STORE_NOON, 2) });
      expect(await outbox.find('mail_9' as MailId)).toBeNull();
    });

    it('stores at most the given number of messages of a kind to an address in the given period, even concurrently', async () => {
      await start();
      const to = 'person@example.test';
      for (const number of [1, 2, 3]) await outbox.store(aStoredMail(number, { to, storedAt: later(STORE_NOON, number) }));
      await outbox.store(aStoredMail(4, { to, kind: 'invitation' }));
      await outbox.store(aStoredMail(5));
      const pace = { most: 4, since: later(STORE_NOON, 1) };
      const storedAt = later(STORE_NOON, 4);
      const outcomes = await Promise.all([6, 7, 8, 9, 10].map((number) => outbox.storeWithin(aStoredMail(number, { to, storedAt }), pace)));
      expect(outcomes.toSorted()).toEqual(['stored', 'stored', 'too-many', 'too-many', 'too-many']);
      expect(await outbox.storeWithin(aStoredMail(11, { storedAt }), pace)).toBe('stored');
      expect(await outbox.storeWithin(aStoredMail(12, { to, storedAt }), { ...pace, since: later(STORE_NOON, 3) })).toBe('stored');
    });
  });
}
