import { backgroundEventsContract, eventsContract, usageFeedContract } from '@tollgate/testkit';
import { storeOnFile } from './test-support/stores.js';

backgroundEventsContract('SQLite file', storeOnFile);
eventsContract('SQLite file', storeOnFile);
usageFeedContract('SQLite file', storeOnFile);
