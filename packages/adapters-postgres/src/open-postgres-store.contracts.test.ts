import {
  accountErasureContract, accountNotesContract, accountRepositoryContract, accountSearchContract, auditTrailContract, idempotencyStoreContract, installationRegistryContract, machineClaimsContract, machinesContract,
  keyRepositoryContract, ledgerContract, mailOutboxContract, operatorControlsContract, operatorLookupsContract, ownerErasureContract, responseStoreContract,
  usageReaderContract, usageTotalsContract,
} from '@tollgate/testkit';
import { machinesOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew, openTwo } = postgresFixture();

accountErasureContract('PostgreSQL', openNew);
accountNotesContract('PostgreSQL', openNew);
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
  const [store, other] = await openTwo();
  return { ...machinesOver(store, other), store, other };
});
machinesContract('PostgreSQL', async () => machinesOver(...await openTwo()));
