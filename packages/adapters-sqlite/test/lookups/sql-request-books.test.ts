import { requestBooksContract } from '@tollgate/sql-common/testing';
import { damageableStore } from '../../src/test-support/stores.js';

requestBooksContract('SQLite file', damageableStore);
