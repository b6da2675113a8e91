export { CORRUPTIONS, requestBooksContract, startWithOneOfEachKind } from './request-books-contract.js';
export { createAtOnce, OTHER_PROCESS, peopleOver, rotateAtOnce, STORE_PROCESS } from './crowds.js';
export { personFactorsContract, storeAwayContract } from './store-contracts.js';
