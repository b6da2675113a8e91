import {
  accountRepositoryContract, idempotencyStoreContract, keyRepositoryContract, ledgerContract, ledgerHistoryContract, operatorControlsContract, usageReaderContract,
} from '@tollgate/testkit';
import { createMemoryStore } from './memory-store.js';

accountRepositoryContract('memory', createMemoryStore);
keyRepositoryContract('memory', createMemoryStore);
ledgerContract('memory', createMemoryStore);
idempotencyStoreContract('memory', createMemoryStore);
ledgerHistoryContract('memory', createMemoryStore, { runs: 300, steps: 50 });
operatorControlsContract('memory', createMemoryStore);
usageReaderContract('memory', createMemoryStore);
