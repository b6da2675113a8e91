import { historyExtent, ledgerHistoryContract } from '@tollgate/testkit';
import { createMemoryStore } from './memory-store.js';

ledgerHistoryContract('memory', createMemoryStore, historyExtent('memory', 100));
