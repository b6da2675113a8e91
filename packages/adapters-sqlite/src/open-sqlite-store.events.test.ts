import { eventsContract } from '@tollgate/testkit';
import { storeOnFile } from './test-support/stores.js';

eventsContract('SQLite file', storeOnFile);
