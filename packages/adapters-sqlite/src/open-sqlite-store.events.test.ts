import { eventsContract, usageFeedContract } from '@tollgate/testkit';
import { storeOnFile } from './test-support/stores.js';

eventsContract('SQLite file', storeOnFile);
usageFeedContract('SQLite file', storeOnFile);
