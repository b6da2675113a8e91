import { alertMailsContract } from '@tollgate/testkit';
import { storeOnFile } from './test-support/stores.js';

alertMailsContract('SQLite file', storeOnFile);
