import { historyExtent, ledgerHistoryContract } from '@tollgate/testkit';
import { openMortalStore } from '../test-support/mortal-store.js';

ledgerHistoryContract('SQLite', openMortalStore, historyExtent('sqlite', 60));
