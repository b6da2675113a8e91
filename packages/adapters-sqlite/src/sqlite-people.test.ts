import { OTHER_PROCESS, peopleOver } from '@tollgate/sql-common/testing';
import {
  issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, secondFactorsContract, sessionsContract,
  signupCreditContract, unverifiedPeopleContract,
} from '@tollgate/testkit';
import { storeFile } from './test-support/stores.js';

async function peopleOnFile(): Promise<PeopleSubject> {
  const place = storeFile();
  const store = await place.open();
  return peopleOver(store, await place.open(OTHER_PROCESS), () => place.remove());
}

personDirectoryContract('SQLite file', peopleOnFile);
sessionsContract('SQLite file', peopleOnFile);
signupCreditContract('SQLite file', peopleOnFile);
operatorsContract('SQLite file', peopleOnFile);
passkeysContract('SQLite file', peopleOnFile);
issuerSignInContract('SQLite file', peopleOnFile);
secondFactorsContract('SQLite file', peopleOnFile);
unverifiedPeopleContract('SQLite file', peopleOnFile);
