import { OTHER_PROCESS, peopleOver } from '@tollgate/sql-common/testing';
import {
  issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, secondFactorsContract, sessionsContract,
  signupCreditContract, unverifiedPeopleContract,
} from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { createStoreDatabase, open } = postgresFixture();

async function peopleOnServer(): Promise<PeopleSubject> {
  const url = await createStoreDatabase();
  return peopleOver(await open(url), await open(url, { processId: OTHER_PROCESS }));
}

personDirectoryContract('PostgreSQL', peopleOnServer);
sessionsContract('PostgreSQL', peopleOnServer);
signupCreditContract('PostgreSQL', peopleOnServer);
operatorsContract('PostgreSQL', peopleOnServer);
passkeysContract('PostgreSQL', peopleOnServer);
issuerSignInContract('PostgreSQL', peopleOnServer);
secondFactorsContract('PostgreSQL', peopleOnServer);
unverifiedPeopleContract('PostgreSQL', peopleOnServer);
