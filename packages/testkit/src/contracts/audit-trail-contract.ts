import { afterEach, describe, expect, it } from '@jest/globals';
import { type AuditTrail, type OperatorControls, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { MAINTENANCE } from '../builders/maintenance.js';
import { anApiKey } from '../builders/an-account.js';
import { auditListContract } from './audit-list-contract.js';
import { changeStanding } from './change-standing.js';
import { STORE_ALICE, STORE_NOON, StoreDriver, type StoreSubject } from './store-subject.js';

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

    it('chains what is changed at the same time', async () => {
      await start();
      await Promise.all(Array.from({ length: 20 }, (_, number) => subject.ledger.credit({
        accountId: STORE_ALICE, amount: ServiceTokens.parse('1'), reference: `invoice ${number}`, ...BY,
      })));
      expect(await subject.auditTrail.verifyAuditTrail()).toEqual({ entries: 22, firstBrokenEntry: null, fault: null });
    });
  });
}
