// Contract suites of the core's ports, for adapters outside this project. Need only the packages core and identity.
export { type Expect, type Expectation, type Matchers, type TestRunner, useTestRunner } from './contracts/test-runner.js';
export * from './contracts/accounts/account-erasure-contract.js';
export * from './contracts/accounts/owner-erasure-contract.js';
export * from './contracts/accounts/account-repository-contract.js';
export * from './contracts/accounts/key-repository-contract.js';
export * from './contracts/audit-contract.js';
export * from './contracts/change-notifications-contract.js';
export * from './contracts/idempotency-store-contract.js';
export * from './contracts/ledger/ledger-contract.js';
export * from './contracts/platform/operators-contract.js';
export * from './contracts/platform/platform-state-contract.js';
export * from './contracts/process-contracts.js';
export * from './contracts/response-store-contract.js';
export { rateLimiterContract, sharedCounterContract } from './contracts/rate-limiter/rate-limiter-contract.js';
export * from './contracts/rate-limiter/rate-limiter-subject.js';
export * from './contracts/store-subject.js';
export * from './contracts/usage/totals-contract.js';
export * from './contracts/usage/usage-reader-contract.js';
