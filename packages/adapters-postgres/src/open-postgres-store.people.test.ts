import { expect } from '@jest/globals';
import { OTHER_PROCESS, peopleOver, personFactorsContract, storeAwayContract } from '@tollgate/sql-common/testing';
import {
  issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, secondFactorsContract, sessionsContract,
  signupCreditContract, mailResendsContract, ownerAddressesContract, unverifiedPeopleContract,
} from '@tollgate/testkit';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const { createStoreDatabase, lendStoreDatabase, open, openTwo, server } = postgresFixture();

async function peopleIn(url: string): Promise<PeopleSubject> {
  return peopleOver(await open(url), await open(url, { processId: OTHER_PROCESS }));
}

async function peopleOnServer(): Promise<PeopleSubject> {
  return peopleOver(...await openTwo());
}

personDirectoryContract('PostgreSQL', peopleOnServer);
sessionsContract('PostgreSQL', peopleOnServer);
signupCreditContract('PostgreSQL', peopleOnServer);
operatorsContract('PostgreSQL', peopleOnServer);
passkeysContract('PostgreSQL', peopleOnServer);
issuerSignInContract('PostgreSQL', peopleOnServer);
secondFactorsContract('PostgreSQL', peopleOnServer);
unverifiedPeopleContract('PostgreSQL', peopleOnServer);
mailResendsContract('PostgreSQL', peopleOnServer);
ownerAddressesContract('PostgreSQL', peopleOnServer);

personFactorsContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  const run = async (statement: string): Promise<void> => {
    await onDatabase(url, statement);
  };
  return { subject: await peopleIn(url), run };
});

storeAwayContract('a PostgreSQL database that cannot be reached', async () => {
  const url = await createStoreDatabase();
  const subject = await peopleIn(url);
  const database = /test_\d+/.exec(url)?.[0] ?? '';
  const takeAway = async (): Promise<void> => {
    await onDatabase(
      server().url(), `alter database ${database} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`, `alter database ${database} rename to hidden`,
    );
  };
  const giveBack = async (): Promise<void> => {
    await onDatabase(server().url(), `alter database hidden rename to ${database}`, `alter database ${database} allow_connections true`);
    expect(await onDatabase(url, 'select count(*)::int as people from people')).toEqual([{ people: 1 }]);
  };
  return { subject, takeAway, giveBack };
});
