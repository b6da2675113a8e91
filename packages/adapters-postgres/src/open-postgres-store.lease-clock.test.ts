import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClaimOutcome, instant, type Instant, later, type PersonId, type SweptReservations, SYSTEM_ACTOR, type TokenHash } from '@tollgate/core';
import { type ClaimedMail, MAIL_RANKS } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { aStoredMail, anEnding, requestId, reservationId, STORE_ALICE, StoreDriver } from '@tollgate/testkit';
import { onDatabase, postgresFixture, processNamed } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const HOUR = 3_600_000;
const LEASE = 15_000;
const MINUTE = 60_000;

/** A gateway whose clock is `skew` milliseconds ahead. */
class SkewedGateway {
  constructor(readonly name: string, readonly store: SqlStore, private readonly skew: number) {}

  now(): Instant {
    return instant(Date.now() + this.skew);
  }

  renew(lease = LEASE): ReturnType<SqlStore['ledger']['checkpoint']> {
    const at = this.now();
    return this.store.ledger.checkpoint({ ownerId: processNamed(this.name), progress: new Map(), at, leaseExpiresAt: later(at, lease) });
  }

  claim(number: number): Promise<ClaimOutcome> {
    const at = this.now();
    return this.store.idempotency.claim({
      accountId: STORE_ALICE, key: 'order 66', requestId: requestId(number), ownerId: processNamed(this.name), fingerprint: 'same', at, expiresAt: later(at, MINUTE),
    });
  }

  storeMail(number: number): Promise<string> {
    return this.store.mail.store(aStoredMail(number, { to: `person${number}@example.test`, storedAt: this.now() }));
  }

  async claimMail(): Promise<ClaimedMail | null> {
    const at = this.now();
    const [mail = null] = await this.store.mail.claim({ at, leaseExpiresAt: later(at, 2 * MINUTE), most: 1, ranks: MAIL_RANKS });
    return mail;
  }

  async pauseOfMail(): Promise<number> {
    const at = this.now();
    return ((await this.store.mail.status(at)).nextDueAt ?? 0) - at;
  }

  async sweep(): Promise<readonly SweptReservations[]> {
    const told: SweptReservations[] = [];
    const now = this.now();
    await this.store.ledger.sweep(now, (swept) => told.push(swept));
    await this.store.idempotency.sweep(now, later(now, 24 * HOUR));
    return told;
  }
}

describe('gateways with different clocks', () => {
  let url: string;
  let right: SkewedGateway;
  let ahead: SkewedGateway;
  let behind: SkewedGateway;

  async function open(name: string, skew: number): Promise<SkewedGateway> {
    return new SkewedGateway(name, await postgres.open(url, { processId: processNamed(name), leaseClock: 'database' }), skew);
  }

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    [right, ahead, behind] = [await open('right', 0), await open('ahead', HOUR), await open('behind', -HOUR)];
    await StoreDriver.start(() => right.store);
    await new StoreDriver(right.store).credit('100');
  });

  afterEach(() => Promise.all([right, ahead, behind].map(({ store }) => store.close())));

  it('judge leases by the database’s clock: none ends the reservations of a live gateway or releases its idempotency keys', async () => {
    for (const gateway of [right, ahead, behind]) await gateway.renew();
    await right.claim(1);
    await new StoreDriver(right.store).reserve(1, '10', { owner: processNamed('right') , expiresAt: later(right.now(), HOUR / 2), at: right.now() });
    await behind.claim(2);
    for (const gateway of [ahead, behind, right]) expect(await gateway.sweep()).toEqual([]);
    expect(await ahead.claim(3)).toEqual({ outcome: 'running', requestId: requestId(1) });
    expect((await new StoreDriver(right.store).settle(1, anEnding(5))).charge.amount.toString()).toBe('5');
  });

  it('prolong reservations and idempotency keys by the database’s clock', async () => {
    for (const gateway of [right, behind]) {
      await gateway.renew();
      const number = gateway === right ? 1 : 2;
      await new StoreDriver(right.store).reserve(number, '10', { owner: processNamed(gateway.name), expiresAt: later(gateway.now(), MINUTE), at: gateway.now() });
    }
    await behind.claim(2);
    const [ownerId, at] = [processNamed('behind'), behind.now()];
    const common = { ownerId, at, expiresAt: later(at, HOUR / 2) };
    await behind.store.ledger.prolong({ ...common, reservations: [reservationId(2)] });
    await behind.store.idempotency.prolong({ ...common, requests: [requestId(2)] });
    for (const table of ['reservations', 'idempotency_keys']) await onDatabase(url, `update ${table} set expires_at = expires_at - ${HOUR / 4}`);
    expect(await ahead.sweep()).toEqual([expect.objectContaining({ ownerId: processNamed('right'), ended: 1, cause: 'deadline' })]);
    expect(await ahead.claim(3)).toEqual({ outcome: 'running', requestId: requestId(2) });
  });

  it('let a lease expire by the database’s clock, for the sweeping gateway and for the holder of the lease', async () => {
    await ahead.renew();
    await behind.renew();
    await new StoreDriver(right.store).reserve(1, '10', { owner: processNamed('ahead'), expiresAt: later(ahead.now(), HOUR), at: ahead.now() });
    expect((await ahead.renew()).wasAbsent).toBe(false);
    await onDatabase(url, `update process_leases set expires_at = expires_at - 22000, renewed_at = renewed_at - 22000 where process_id = '${processNamed('ahead')}'`);
    const [swept, ...others] = await behind.sweep();
    expect([swept, others]).toEqual([{ ownerId: processNamed('ahead'), ended: 1, cause: 'lease', silentMilliseconds: expect.any(Number) }, []]);
    expect(swept?.silentMilliseconds).toBeGreaterThanOrEqual(22_000);
    expect(swept?.silentMilliseconds).toBeLessThan(22_000 + MINUTE);
    const { wasAbsent, clockAheadMilliseconds } = await ahead.renew();
    expect(wasAbsent).toBe(true);
    expect(Math.abs((clockAheadMilliseconds ?? 0) - HOUR)).toBeLessThan(MINUTE);
  });

  it('claim new mail at once, whichever of them stored it, but only one message to a domain at a time', async () => {
    for (const [sender, receiver, number] of [[ahead, behind, 1], [behind, ahead, 2]] as const) {
      await sender.storeMail(number);
      expect(await receiver.pauseOfMail()).toBe(0);
      const mail = await receiver.claimMail();
      expect(mail).toMatchObject({ id: `mail_${number}`, attempt: 1 });
      await sender.storeMail(10 + number);
      for (const gateway of [ahead, right, behind]) expect(await gateway.claimMail()).toBeNull();
      await onDatabase(url, `delete from mail_outbox where id = 'mail_${10 + number}'`);
      expect(await sender.pauseOfMail()).toBeGreaterThan(MINUTE);
      expect(await sender.pauseOfMail()).toBeLessThanOrEqual(2 * MINUTE);
      if (mail !== null) await receiver.store.mail.finish(mail, { state: 'delivered' }, receiver.now());
    }
  });

  it('delay and expire mail by the database’s clock', async () => {
    await right.storeMail(1);
    const mail = await ahead.claimMail();
    if (mail === null) throw new Error('the message is due');
    expect(Math.abs(mail.expiresAt - later(ahead.now(), 24 * HOUR))).toBeLessThan(MINUTE);
    const at = ahead.now();
    await ahead.store.mail.putOff(mail, { at, until: later(at, 2 * MINUTE) }, '450');
    for (const gateway of [ahead, right, behind]) {
      expect(await gateway.claimMail()).toBeNull();
      expect(Math.abs(await gateway.pauseOfMail() - 2 * MINUTE)).toBeLessThan(MINUTE);
    }
    await onDatabase(url, `update mail_outbox set due_at = due_at - ${2 * MINUTE}`);
    expect(await behind.claimMail()).toMatchObject({ id: 'mail_1', attempt: 2 });
  });

  it('neither take over totals that another gateway is updating, nor skip settlements that may still be open', async () => {
    const driver = new StoreDriver(right.store);
    await driver.serve(1, anEnding(1));
    expect(await right.store.usageTotals.sumUp(right.now())).toBe(true);
    const [before] = await onDatabase(url, 'select counted_through, newest_seq from usage_totals_state');
    await driver.serve(2, anEnding(2));
    expect(await ahead.store.usageTotals.sumUp(ahead.now())).toBe(true);
    expect(await onDatabase(url, 'select counted_through, newest_seq from usage_totals_state')).toEqual([before]);
    await onDatabase(url, 'update usage_totals_state set version = version + 1, claimed_until = floor(extract(epoch from now()) * 1000) + 30000');
    for (const gateway of [ahead, right, behind]) expect(await gateway.store.usageTotals.sumUp(gateway.now())).toBe(false);
    await onDatabase(url, 'update usage_totals_state set claimed_until = claimed_until - 30000');
    expect(await behind.store.usageTotals.sumUp(behind.now())).toBe(true);
  });

  it('let no deletion become due early, and no block, sign-up, response or link expire early, on a fast clock', async () => {
    const soon = right.now() + HOUR / 2;
    await onDatabase(
      url,
      `update accounts set status = 'pending-deletion', deletion_due_at = ${soon}, deletion_returns_to = 'active' where id = '${STORE_ALICE}'`,
      `insert into blocks (kind, subject, reason, blocked_by, blocked_at, expires_at) values ('network', '192.0.2.0/24', null, 'olga', 1, ${soon})`,
      ...['new', 'other'].map((name) => `insert into people (id, email, email_verified, name, role, created_at, discard_at) values ('person_${name}', '${name}@example.test', 0, '', 'owner', 1, ${soon})`),
      `insert into person_tokens (hash, person_id, purpose, expires_at) values ('hash', 'person_new', 'verify-email', ${soon})`,
    );
    await right.store.responses.keep({ id: 'resp_1', previousId: null, inputItems: Buffer.from('[]'), outputItems: '[]', body: '{}', accountId: STORE_ALICE, expiresAt: instant(soon) });
    const endedBy = async ({ store, now }: { readonly store: SqlStore; readonly now: Instant }): Promise<readonly number[]> => {
      const by = { actor: SYSTEM_ACTOR, at: now };
      const due = await store.erasure.dueForDeletion(now, { limit: 9, after: null });
      return [due.length, await store.controls.endExpiredBlocks(by), await store.responses.sweep(now), await store.people.discardUnverified(9, by)];
    };
    await ahead.store.people.putToken({ hash: 'next' as TokenHash, personId: 'person_other' as PersonId, purpose: 'verify-email', newEmail: null, expiresAt: later(ahead.now(), HOUR), machineId: null }, ahead.now());
    expect(await onDatabase(url, "select hash from person_tokens where person_id = 'person_new'")).toEqual([{ hash: 'hash' }]);
    expect(await endedBy({ store: ahead.store, now: ahead.now() })).toEqual([0, 0, 0, 0]);
    for (const [table, column] of [['accounts', 'deletion_due_at'], ['blocks', 'expires_at'], ['people', 'discard_at'], ['stored_responses', 'expires_at']] as const) {
      await onDatabase(url, `update ${table} set ${column} = ${column} - ${HOUR} where ${column} is not null`);
    }
    expect(await endedBy({ store: behind.store, now: behind.now() })).toEqual([1, 1, 1, 2]);
  });
});
