import {
  accountErasureContract, accountRepositoryContract, auditTrailContract, idempotencyStoreContract, installationRegistryContract, keyRepositoryContract, ledgerContract,
  mailOutboxContract, operatorControlsContract, operatorLookupsContract, responseStoreContract, usageReaderContract, usageTotalsContract,
} from '@tollgate/testkit';
import { createMemoryStore } from './memory-store.js';

accountErasureContract('memory', createMemoryStore);
accountRepositoryContract('memory', createMemoryStore);
keyRepositoryContract('memory', createMemoryStore);
ledgerContract('memory', createMemoryStore);
idempotencyStoreContract('memory', createMemoryStore);
responseStoreContract('memory', createMemoryStore);
mailOutboxContract('memory', createMemoryStore);
operatorControlsContract('memory', createMemoryStore);
operatorLookupsContract('memory', createMemoryStore);
usageReaderContract('memory', createMemoryStore);
usageTotalsContract('memory', createMemoryStore);
auditTrailContract('memory', createMemoryStore);
installationRegistryContract('memory', createMemoryStore);
