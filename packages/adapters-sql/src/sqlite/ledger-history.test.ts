import { ledgerHistoryContract } from '@tollgate/testkit';
import { storeInMemory } from '../test-support/stores.js';

ledgerHistoryContract('SQLite', storeInMemory, { runs: 60, steps: 50 });
