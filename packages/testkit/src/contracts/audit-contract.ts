import { afterEach, describe, expect, it } from './test-runner.js';
import {
  type Actor, type AuditPage, type AuditQuery, type AuditRecord, type AuditTrail, clientAt, COMMAND_LINE_ACTOR_ID, GATEWAY_ORIGIN, later,
  MILLISECONDS_PER_DAY, NO_AUDIT_FILTERS, type OperatorControls, ServiceTokens, startOfNextUtcDay, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anApiKey, MAINTENANCE } from '../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from './store-subject.js';

interface AuditedSubject extends StoreSubject {
  readonly auditTrail: AuditTrail;
  readonly controls: OperatorControls;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

export function auditTrailContract(name: string, make: () => AuditedSubject | Promise<AuditedSubject>): void {
  describe(`AuditTrail contract: ${name}`, () => {
    let subject: AuditedSubject;
    let driver: StoreDriver;

    /** Creates Alice and Bob, which adds entries to the trail. */
    async function start(): Promise<void> {
      subject = await make();
      driver = await StoreDriver.start(() => subject);
    }
    afterEach(() => driver.close());

    auditListContract(async () => {
      await start();
      return subject;
    });

    it('records every change', async () => {
      await start();
      await driver.credit('5');
      await changeStanding(subject.accounts, STORE_ALICE, { blocked: true }, BY);
      await subject.keys.create({ key: anApiKey({ accountId: STORE_ALICE }), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      await subject.keys.revoke(STORE_ALICE, anApiKey().id, BY);
      await subject.controls.setMaintenance(MAINTENANCE, BY);
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 7, firstBrokenEntry: null, fault: null });
    });

    it('records neither a repeated change nor a refused one', async () => {
      await start();
      for (let times = 0; times < 2; times += 1) {
        await driver.credit('5');
        await subject.controls.setMaintenance(MAINTENANCE, BY);
        await subject.keys.create({ key: anApiKey({ accountId: STORE_ALICE }), maximumActive: 0, maximumPerHour: 1, actor: SYSTEM_ACTOR });
        await subject.keys.revoke(STORE_ALICE, anApiKey().id, BY);
      }
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry: null, fault: null });
    });

    it('records acts that change no data', async () => {
      await start();
      const { entries } = await subject.auditTrail.verifyAuditTrail();
      const act = { ...BY, action: 'upstream.tested', subject: 'eu', accountId: null, details: { model: 'small' } } as const;
      for (let times = 0; times < 2; times += 1) await subject.auditTrail.append(act);
      const page = await subject.auditTrail.list({ ...NO_AUDIT_FILTERS, action: 'upstream.tested', limit: 10, cursor: null });
      expect(page?.records.map(({ subject: id, accountId, details, at }) => [id, accountId, details, at])).toEqual(Array.from({ length: 2 }, () => ['eu', null, { model: 'small' }, STORE_NOON]));
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: entries + 2, firstBrokenEntry: null, fault: null });
    });

    it('records one view per operator, account and UTC day', async () => {
      await start();
      const olga = { kind: 'operator', id: 'person_olga', origin: clientAt('2001:db8::7') } as const;
      const midnight = startOfNextUtcDay(STORE_NOON);
      const views = [
        [STORE_ALICE, olga, STORE_NOON], [STORE_ALICE, olga, later(midnight, -1)], [STORE_ALICE, olga, midnight], [STORE_ALICE, olga, later(midnight, MILLISECONDS_PER_DAY - 1)],
        [STORE_BOB, olga, midnight], [STORE_ALICE, { ...olga, id: 'person_oscar' }, midnight],
      ] as const;
      const written: boolean[] = [];
      for (const [accountId, actor, at] of views) written.push(await subject.auditTrail.recordView(accountId, { actor, at }));
      expect(written).toEqual([true, false, true, false, true, true]);
      const page = await subject.auditTrail.list({ ...NO_AUDIT_FILTERS, action: 'account.viewed', accountId: STORE_ALICE, actorId: olga.id, limit: 10, cursor: null });
      expect(page?.records).toMatchObject([{ at: midnight, subject: STORE_ALICE, accountId: STORE_ALICE }, { at: STORE_NOON, origin: { address: '2001:db8::7' } }]);
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 6, firstBrokenEntry: null, fault: null });
    });

    it('records concurrent views of an account once', async () => {
      await start();
      const written = await Promise.all(Array.from({ length: 8 }, () => subject.auditTrail.recordView(STORE_ALICE, BY)));
      expect(written.filter(Boolean)).toEqual([true]);
    });

    it('keeps the hash chain intact under concurrent changes', async () => {
      await start();
      await Promise.all(Array.from({ length: 20 }, (_, number) => subject.ledger.credit({
        accountId: STORE_ALICE, amount: ServiceTokens.parse('1'), reference: `invoice ${number}`, ...BY,
      })));
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 22, firstBrokenEntry: null, fault: null });
    });
  });
}

const OWNER: Actor = { kind: 'owner', id: 'person_alice', origin: clientAt('2001:db8::7', 'machine:mach_1') };
const OLGA: Actor = { kind: 'operator', id: COMMAND_LINE_ACTOR_ID, origin: { place: 'command-line', user: 'olga', address: null, via: null } };
const KEY = anApiKey({ accountId: STORE_ALICE, name: 'laptop', createdAt: later(STORE_NOON, 1) });
const ALL: AuditQuery = { ...NO_AUDIT_FILTERS, limit: 100, cursor: null };

/** Tests the list of entries. The trail begins with the entries for creating Alice and Bob. */
function auditListContract(start: () => Promise<AuditedSubject>): void {
  async function startWithActs(): Promise<AuditedSubject> {
    const subject = await start();
    await subject.keys.create({ key: KEY, maximumActive: 1, maximumPerHour: 1, actor: OWNER });
    await subject.ledger.book({
      kind: 'correction', direction: 'raise', accountId: STORE_BOB, amount: ServiceTokens.parse('2'), reference: 'r', reason: 'a call of Bob', actor: OLGA, at: later(STORE_NOON, 2),
    });
    await subject.controls.blockNetwork('10.0.0.0/8', { reason: 'scans', expiresAt: null }, { actor: OLGA, at: later(STORE_NOON, 3) });
    await subject.controls.setMaintenance(MAINTENANCE, { actor: SYSTEM_ACTOR, at: later(STORE_NOON, 4) });
    return subject;
  }

  async function page({ auditTrail }: AuditedSubject, query: Partial<AuditQuery>): Promise<AuditPage> {
    const found = await auditTrail.list({ ...ALL, ...query });
    if (found === null) throw new Error('the cursor was refused');
    return found;
  }

  async function numbers(subject: AuditedSubject, query: Partial<AuditQuery>): Promise<readonly number[]> {
    return (await page(subject, query)).records.map(({ number }) => number);
  }

  it('lists actor, act, time and origin, newest first', async () => {
    const subject = await startWithActs();
    const { records, nextCursor } = await page(subject, {});
    const operator = { actor: { kind: 'operator', id: COMMAND_LINE_ACTOR_ID }, origin: { place: 'command-line', user: 'olga', address: null, via: null } } as const;
    const expected: readonly AuditRecord[] = [
      {
        number: 6, at: later(STORE_NOON, 4), actor: { kind: 'system', id: 'system' }, origin: GATEWAY_ORIGIN, action: 'platform.maintenance-on', subject: 'platform',
        accountId: null, details: { ...MAINTENANCE }, texts: {},
      },
      { number: 5, at: later(STORE_NOON, 3), ...operator, action: 'network.blocked', subject: '10.0.0.0/8', accountId: null, details: { expiresAt: null }, texts: { reason: 'scans' } },
      {
        number: 4, at: later(STORE_NOON, 2), ...operator, action: 'account.correction', subject: STORE_BOB, accountId: STORE_BOB,
        details: { kind: 'correction', amount: '2', reference: 'r' }, texts: { reason: 'a call of Bob' },
      },
      {
        number: 3, at: later(STORE_NOON, 1), actor: { kind: 'owner', id: 'person_alice' }, origin: clientAt('2001:db8::7', 'machine:mach_1'), action: 'key.created', subject: KEY.id,
        accountId: STORE_ALICE, details: { expiresAt: null }, texts: { name: 'laptop' },
      },
    ];
    expect(records.slice(0, 4)).toEqual(expected);
    expect(nextCursor).toBeNull();
  });

  it('filters by account, actor, action and time, alone and combined', async () => {
    const subject = await startWithActs();
    const filters: readonly (readonly [Partial<AuditQuery>, readonly number[]])[] = [
      [{ accountId: STORE_ALICE }, [3, 1]],
      [{ accountId: STORE_BOB }, [4, 2]],
      [{ actorKind: 'operator' }, [5, 4]],
      [{ actorId: 'person_alice' }, [3]],
      [{ action: 'account.created' }, [2, 1]],
      [{ action: 'account.created', accountId: STORE_BOB }, [2]],
      [{ from: later(STORE_NOON, 2), to: later(STORE_NOON, 4) }, [5, 4]],
      [{ accountId: STORE_ALICE, actorKind: 'operator' }, []],
    ];
    for (const [filter, found] of filters) expect([filter, await numbers(subject, filter)]).toEqual([filter, found]);
  });

  it('pages by cursor without gaps or repetitions while entries are added', async () => {
    const subject = await startWithActs();
    const read: number[] = [];
    let cursor: string | null = null;
    for (let number = 1; number <= 3; number += 1) {
      const { records, nextCursor }: AuditPage = await page(subject, { limit: 2, cursor });
      read.push(...records.map((record) => record.number));
      cursor = nextCursor;
      await subject.controls.setMaintenance(number % 2 === 0 ? MAINTENANCE : null, { actor: SYSTEM_ACTOR, at: later(STORE_NOON, 10) });
    }
    expect([read, cursor]).toEqual([[6, 5, 4, 3, 2, 1], null]);
  });

  it('returns no page for an invalid cursor', async () => {
    const { auditTrail } = await startWithActs();
    for (const cursor of ['', 'x', '1', `-1-1`, `1-1-1`, `9${'0'.repeat(20)}-1`]) expect(await auditTrail.list({ ...ALL, cursor })).toBeNull();
  });
}
