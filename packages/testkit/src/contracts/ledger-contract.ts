import { afterEach, describe, expect } from '@jest/globals';
import { creditContract } from './ledger/credit-contract.js';
import { extendContract } from './ledger/extend-contract.js';
import { keyLimitContract } from './ledger/key-limit-contract.js';
import { lastUseContract } from './ledger/last-use-contract.js';
import { lateSettlementContract } from './ledger/late-settlement-contract.js';
import { moneyActsContract } from './ledger/money-acts-contract.js';
import { reserveContract } from './ledger/reserve-contract.js';
import { settleContract } from './ledger/settle-contract.js';
import { sweepContract } from './ledger/sweep-contract.js';
import type { Start } from './ledger/start-ledger.js';
import { type MakeStore, StoreDriver } from './store-subject.js';

/** What every ledger guarantees, whatever keeps it. */
export function ledgerContract(name: string, make: MakeStore): void {
  describe(`Ledger contract: ${name}`, () => {
    let driver: StoreDriver | null = null;
    const start: Start = async () => {
      driver = await StoreDriver.start(make);
      return driver;
    };
    /** Whatever a test did, the books balance afterwards. */
    afterEach(async () => {
      const ended = driver;
      driver = null;
      if (ended === null) return;
      const { differences } = await ended.store.ledgerAudit.verify();
      await ended.close();
      expect(differences).toEqual([]);
    });

    creditContract(start);
    moneyActsContract(start);
    reserveContract(start);
    extendContract(start);
    settleContract(start);
    sweepContract(start);
    lateSettlementContract(start);
    lastUseContract(start);
    keyLimitContract(start);
  });
}
