import { availableParallelism, totalmem } from 'node:os';
import type { Config } from 'jest';

/** Memory to reserve for a worker. A worker restarts above `workerIdleMemoryLimit`, but only between two test files. */
const WORKER_BYTES = 2 ** 31;
/** More workers than cores if the memory suffices, because a worker spends more than half of its time waiting for servers, processes and timers. */
const WORKERS = Math.max(1, Math.min(availableParallelism() + 2, Math.floor(totalmem() / WORKER_BYTES)));

function compiledBy(language: object): object {
  return { jsc: { target: 'es2023', ...language }, module: { type: 'es6' }, sourceMaps: 'inline' };
}

// Tests import workspace packages by name and get their sources, so a test run needs no build.
const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/tools', '<rootDir>/test'],
  testMatch: ['**/*.test.{ts,tsx}'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/canaries/'],
  modulePathIgnorePatterns: ['<rootDir>/(packages|apps|tools)/[^/]+/dist/'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // The test files of a worker share their modules: docs/decisions/0199-share-modules-among-test-files.md.
  runtime: '<rootDir>/test/support/jest/runtime.mjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testTimeout: 15_000,
  testSequencer: '<rootDir>/test/support/slow-first-sequencer.cjs',
  maxWorkers: WORKERS,
  // A worker keeps its modules and the state of its test files until it restarts.
  workerIdleMemoryLimit: '1GB',
  // In milliseconds. A worker without open handles takes 0.4 s to free its memory, longer on a busy machine. jest waits only until the worker has
  // exited.
  workerGracefulExitTimeout: 10_000,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/support/seeded-fast-check.ts',
    '^@tollgate/(gateway|cli)$': '<rootDir>/apps/$1/src/index.ts',
    '^@tollgate/(kit|browser)$': '<rootDir>/tools/$1/src/index.ts',
    '^@tollgate/testkit/(contracts|programs)$': '<rootDir>/packages/testkit/src/$1.ts',
    '^@tollgate/testkit/(mail-server|issuer-server|stripe-server)$': '<rootDir>/packages/testkit/src/servers/$1.ts',
    '^@tollgate/testkit/pdf-reader$': '<rootDir>/packages/testkit/src/documents/pdf-reader.ts',
    '^@tollgate/(sql-common|adapters-sqlite)/testing$': '<rootDir>/packages/$1/src/test-support/index.ts',
    '^@tollgate/adapters-memory/limits$': '<rootDir>/packages/adapters-memory/src/limits.ts',
    '^@tollgate/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^virtual:route-table$': '<rootDir>/apps/dashboard/src/test-support/route-table.ts',
    '^#locale$': '<rootDir>/apps/dashboard/src/locale/en.ts',
    '^#shown/(.*)$': '<rootDir>/apps/dashboard/src/shown/$1.ts',
    '^#texts/(.*)$': '<rootDir>/apps/dashboard/src/texts/en/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': ['@swc/jest', compiledBy({ parser: { syntax: 'typescript' } })],
    // These options are those with which apps/dashboard/vite.config.ts compiles the pages.
    '^.+\\.tsx$': ['@swc/jest', compiledBy({ parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic', importSource: '#shown' } } })],
  },
};

export default config;
