import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

// Tests import workspace packages by name and get their sources, so no build is needed before a test run.
const config: Config = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/tools', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/canaries/'],
  modulePathIgnorePatterns: ['<rootDir>/(packages|apps|tools)/[^/]+/dist/'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: 'node',
  testTimeout: 15_000,
  testSequencer: '<rootDir>/test/support/slow-first-sequencer.cjs',
  // One worker more than cores, since many tests wait for servers; a worker gives its memory back by starting anew, since modules are kept as long as it lives.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: '1GB',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/support/seeded-fast-check.ts',
    '^@tollgate/(gateway|cli)$': '<rootDir>/apps/$1/src/index.ts',
    '^@tollgate/(kit|browser)$': '<rootDir>/tools/$1/src/index.ts',
    '^@tollgate/testkit/(contracts|programs)$': '<rootDir>/packages/testkit/src/$1.ts',
    '^@tollgate/testkit/(mail-server|issuer-server)$': '<rootDir>/packages/testkit/src/servers/$1.ts',
    '^@tollgate/(sql-common|adapters-sqlite)/testing$': '<rootDir>/packages/$1/src/test-support/index.ts',
    '^@tollgate/adapters-memory/limits$': '<rootDir>/packages/adapters-memory/src/limits.ts',
    '^@tollgate/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^#texts/(.*)$': '<rootDir>/apps/dashboard/src/texts/en/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default config;
