export { CORRUPTIONS, startWithOneOfEachKind } from './corruptions.js';
export { createAtOnce, OTHER_PROCESS, peopleOver, rotateAtOnce, STORE_PROCESS } from './crowds.js';
export { personFactorsContract } from './person-factors-contract.js';
export { requestBooksContract } from './request-books-contract.js';
export { storeAwayContract } from './store-away-contract.js';
