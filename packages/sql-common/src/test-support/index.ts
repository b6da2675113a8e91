export * from './corruptions.js';
export * from './key-crowds.js';
export * from './people.js';
export * from './request-books-contract.js';
