import {
  accountErasureContract, accountRepositoryContract, auditTrailContract, idempotencyStoreContract, installationRegistryContract,
  keyRepositoryContract, ledgerContract, mailOutboxContract, operatorControlsContract, operatorLookupsContract, responseStoreContract, usageReaderContract,
  usageTotalsContract,
} from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew } = postgresFixture();

accountErasureContract('PostgreSQL', openNew);
accountRepositoryContract('PostgreSQL', openNew);
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
