export { RecordingRunner } from './recording-runner.js';
export { cutScript } from './cut-script.js';
export { dyingRunner } from './dying-runner.js';
export { type SetBackSubject, storeHistoryContract } from './store-history-contract.js';
export { type AddedColumnsSubject, addedColumnsContract } from './added-columns-contract.js';
export { CREDIT_CORRUPTIONS, DELETE_FIRST_EVENTS, startWithCredits } from './credit-books.js';
export { damagedStoreContract } from './damaged-store-contract.js';
export { migrationsContract } from './migrations-contract.js';
export { CORRUPTIONS, type DamageableStore, type FillStore, oneOfEachKind, requestBooksContract, startWithOneOfEachKind } from './request-books-contract.js';
export {
  createAtOnce, machinesOver, OTHER_PROCESS, paymentsOver, peopleOver, personFactorsContract, rotateAtOnce, STORE_PROCESS, storeAwayContract, vouchersOver, webhooksOver,
} from './store-contracts.js';
