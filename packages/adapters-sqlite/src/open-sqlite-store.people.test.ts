import { unlinkSync } from 'node:fs';
import { expect } from '@jest/globals';
import { later } from '@tollgate/core';
import { OTHER_PROCESS, peopleOver, personFactorsContract, STORE_PROCESS, storeAwayContract } from '@tollgate/sql-common/testing';
import {
  issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, secondFactorsContract, sessionsContract, signupCreditContract,
  STORE_NOON, mailResendsContract, ownerAddressesContract, unverifiedPeopleContract,
} from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from './test-support/stores.js';

const MINUTE = 60_000;

async function peopleIn(place: StoreFile): Promise<PeopleSubject> {
  const store = await place.open();
  return peopleOver(store, await place.open(OTHER_PROCESS), () => place.remove());
}

function peopleOnFile(): Promise<PeopleSubject> {
  return peopleIn(storeFile());
}

personDirectoryContract('SQLite file', peopleOnFile);
sessionsContract('SQLite file', peopleOnFile);
signupCreditContract('SQLite file', peopleOnFile);
operatorsContract('SQLite file', peopleOnFile);
passkeysContract('SQLite file', peopleOnFile);
issuerSignInContract('SQLite file', peopleOnFile);
secondFactorsContract('SQLite file', peopleOnFile);
unverifiedPeopleContract('SQLite file', peopleOnFile);
mailResendsContract('SQLite file', peopleOnFile);
ownerAddressesContract('SQLite file', peopleOnFile);

personFactorsContract('SQLite', async () => {
  const place = storeFile();
  const run = async (statement: string): Promise<void> => {
    const direct = new Database(place.file);
    direct.exec(statement);
    direct.close();
  };
  return { subject: await peopleIn(place), run };
});

storeAwayContract('a SQLite file that is gone', async () => {
  const place = storeFile();
  const subject = await peopleIn(place);
  // At the next checkpoint, the store notices that its file is missing.
  const takeAway = async (): Promise<void> => {
    unlinkSync(place.file);
    const { ledger } = subject.store;
    await expect(ledger.checkpoint({ ownerId: STORE_PROCESS, progress: new Map(), at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, MINUTE) })).rejects.toThrow('data store');
  };
  return { subject, takeAway, giveBack: null };
});
