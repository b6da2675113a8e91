import { historyExtent, ledgerHistoryContract } from '@tollgate/testkit';
import { openMortalStore } from '../test-support/stores.js';

ledgerHistoryContract('SQLite', openMortalStore, historyExtent('sqlite', 20));
