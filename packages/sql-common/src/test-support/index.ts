export { CORRUPTIONS, startWithOneOfEachKind } from './corruptions.js';
export { createAtOnce, rotateAtOnce } from './key-crowds.js';
export { OTHER_PROCESS, peopleOver, STORE_PROCESS } from './people.js';
export { personFactorsContract } from './person-factors-contract.js';
export { requestBooksContract } from './request-books-contract.js';
export { storeAwayContract } from './store-away-contract.js';
