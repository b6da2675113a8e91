import {
  accountErasureContract, accountNotesContract, accountRepositoryContract, accountSearchContract, auditTrailContract, idempotencyStoreContract, installationRegistryContract, machineClaimsContract, machinesContract,
  keyRepositoryContract, ledgerContract, mailOutboxContract, operatorControlsContract, operatorLookupsContract, ownerErasureContract, responseStoreContract,
  usageReaderContract, usageTotalsContract,
} from '@tollgate/testkit';
import { machinesOver, OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { storeInMemory } from './test-support/store-in-memory.js';
import { storeFile, storeOnFile } from './test-support/stores.js';

accountErasureContract('SQLite file', storeOnFile);
accountNotesContract('SQLite file', storeOnFile);
ownerErasureContract('SQLite file', storeOnFile);
accountRepositoryContract('SQLite file', storeOnFile);
accountSearchContract('SQLite file', storeOnFile);
keyRepositoryContract('SQLite file', storeOnFile);
ledgerContract('SQLite file', storeOnFile);
idempotencyStoreContract('SQLite file', storeOnFile);
responseStoreContract('SQLite file', storeOnFile);
responseStoreContract('SQLite in memory', storeInMemory);
usageReaderContract('SQLite file', storeOnFile);
usageTotalsContract('SQLite file', storeOnFile);
mailOutboxContract('SQLite file', storeOnFile);
operatorControlsContract('SQLite file', storeOnFile);
operatorLookupsContract('SQLite file', storeOnFile);
auditTrailContract('SQLite in memory', storeInMemory);
installationRegistryContract('SQLite file', storeOnFile);
machineClaimsContract('SQLite file', async () => {
  const place = storeFile();
  const [store, other] = [await place.open(), await place.open(OTHER_PROCESS)];
  return { ...machinesOver(store, other, () => place.remove()), store, other };
});
machinesContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return machinesOver(store, await place.open(OTHER_PROCESS), () => place.remove());
});
