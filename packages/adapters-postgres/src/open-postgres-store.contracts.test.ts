import {
  accountErasureContract, accountRepositoryContract, accountSearchContract, auditTrailContract, idempotencyStoreContract, installationRegistryContract, machineClaimsContract, machinesContract,
  keyRepositoryContract, ledgerContract, mailOutboxContract, operatorControlsContract, operatorLookupsContract, ownerErasureContract, responseStoreContract,
  usageReaderContract, usageTotalsContract,
} from '@tollgate/testkit';
import { machinesOver, OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open, openNew } = postgresFixture();

accountErasureContract('PostgreSQL', openNew);
ownerErasureContract('PostgreSQL', openNew);
accountRepositoryContract('PostgreSQL', openNew);
accountSearchContract('PostgreSQL', openNew);
keyRepositoryContract('PostgreSQL', openNew);
ledgerContract('PostgreSQL', openNew);
idempotencyStoreContract('PostgreSQL', openNew);
responseStoreContract('PostgreSQL', openNew);
usageReaderContract('PostgreSQL', openNew);
usageTotalsContract('PostgreSQL', openNew);
mailOutboxContract('PostgreSQL', openNew);
operatorControlsContract('PostgreSQL', openNew);
operatorLookupsContract('PostgreSQL', openNew);
auditTrailContract('PostgreSQL', openNew);
installationRegistryContract('PostgreSQL', openNew);
machineClaimsContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  const [store, other] = [await open(url), await open(url, { processId: OTHER_PROCESS })];
  return { ...machinesOver(store, other), store, other };
});
machinesContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return machinesOver(await open(url), await open(url, { processId: OTHER_PROCESS }));
});
