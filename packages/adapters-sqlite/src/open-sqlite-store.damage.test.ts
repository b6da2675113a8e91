import { damagedStoreContract } from '@tollgate/sql-common/testing';
import { damageableStore } from './test-support/stores.js';

damagedStoreContract('SQLite file', damageableStore);
