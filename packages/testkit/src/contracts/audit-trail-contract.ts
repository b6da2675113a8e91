import { afterEach, describe, expect, it } from '@jest/globals';
import { type AuditTrail, clientAt, later, MILLISECONDS_PER_DAY, NO_AUDIT_FILTERS, type OperatorControls, ServiceTokens, startOfNextUtcDay, SYSTEM_ACTOR } from '@tollgate/core';
import { MAINTENANCE } from '../builders/maintenance.js';
import { anApiKey } from '../builders/an-account.js';
import { auditListContract } from './audit-list-contract.js';
import { changeStanding } from './change-standing.js';
import { STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from './store-subject.js';

/** The record of changes beside all that is recorded in it, on one empty store. */
export interface AuditedSubject extends StoreSubject {
  readonly auditTrail: AuditTrail;
  readonly controls: OperatorControls;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

/** What every audit trail guarantees, wherever it is kept. */
export function auditTrailContract(name: string, make: () => AuditedSubject | Promise<AuditedSubject>): void {
  describe(`AuditTrail contract: ${name}`, () => {
    let subject: AuditedSubject;
    let driver: StoreDriver;

    /** Alice and Bob were created, which is on record. */
    async function start(): Promise<void> {
      subject = await make();
      driver = await StoreDriver.start(() => subject);
    }
    afterEach(() => driver.close());

    auditListContract(async () => {
      await start();
      return subject;
    });

    it('has an entry for everything that is changed', async () => {
      await start();
      await driver.credit('5');
      await changeStanding(subject.accounts, STORE_ALICE, { blocked: true }, BY);
      await subject.keys.create({ key: anApiKey({ accountId: STORE_ALICE }), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      await subject.keys.revoke(STORE_ALICE, anApiKey().id, BY);
      await subject.controls.setMaintenance(MAINTENANCE, BY);
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 7, firstBrokenEntry: null, fault: null });
    });

    it('has none for what was changed already, or refused', async () => {
      await start();
      for (let times = 0; times < 2; times += 1) {
        await driver.credit('5');
        await subject.controls.setMaintenance(MAINTENANCE, BY);
        await subject.keys.create({ key: anApiKey({ accountId: STORE_ALICE }), maximumActive: 0, maximumPerHour: 1, actor: SYSTEM_ACTOR });
        await subject.keys.revoke(STORE_ALICE, anApiKey().id, BY);
      }
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 4, firstBrokenEntry: null, fault: null });
    });

    it('has one entry a UTC day for each operator who views an account, however often', async () => {
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

    it('has one entry for views at the same time', async () => {
      await start();
      const written = await Promise.all(Array.from({ length: 8 }, () => subject.auditTrail.recordView(STORE_ALICE, BY)));
      expect(written.filter(Boolean)).toEqual([true]);
    });

    it('chains what is changed at the same time', async () => {
      await start();
      await Promise.all(Array.from({ length: 20 }, (_, number) => subject.ledger.credit({
        accountId: STORE_ALICE, amount: ServiceTokens.parse('1'), reference: `invoice ${number}`, ...BY,
      })));
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 22, firstBrokenEntry: null, fault: null });
    });
  });
}
