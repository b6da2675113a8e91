export * from './scripted-upstream/index.js';
export * from './contracts/rate-limiter-contract.js';
export * from './contracts/rate-limiter-subject.js';
export * from './grammar/index.js';
export * from './wire/index.js';
export * from './builders/index.js';
export * from './faults/index.js';
export * from './generation/index.js';
