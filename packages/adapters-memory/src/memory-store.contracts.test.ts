import {
  accountErasureContract, accountRepositoryContract, auditTrailContract, idempotencyStoreContract, keyRepositoryContract, ledgerContract,
  operatorControlsContract, responseStoreContract, usageReaderContract, usageTotalsContract,
} from '@tollgate/testkit';
import { createMemoryStore } from './memory-store.js';

accountErasureContract('memory', createMemoryStore);
accountRepositoryContract('memory', createMemoryStore);
keyRepositoryContract('memory', createMemoryStore);
ledgerContract('memory', createMemoryStore);
idempotencyStoreContract('memory', createMemoryStore);
responseStoreContract('memory', createMemoryStore);
operatorControlsContract('memory', createMemoryStore);
usageReaderContract('memory', createMemoryStore);
usageTotalsContract('memory', createMemoryStore);
auditTrailContract('memory', createMemoryStore);
