import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@tollgate/adapters-config';
import { startRedisServer } from '@tollgate/testkit';
import { startMigratedPostgres } from '../../../src/test-support/migrated-postgres.js';

/** What gateways share: a database, perhaps Redis, and the variables that name them. */
export interface Ground {
  readonly environment: Environment;
  stop(): Promise<void>;
}

export interface SetUp {
  readonly name: string;
  readonly gateways: number;
  prepare(): Promise<Ground>;
}

export const EMBEDDED: SetUp = {
  name: 'SQLite',
  gateways: 1,
  prepare: () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-instances-'));
    return Promise.resolve({
      environment: { DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` },
      stop: () => {
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    });
  },
};

/** Without Redis, so each gateway counts limits by itself. */
export const TWO_ON_POSTGRES: SetUp = {
  name: 'PostgreSQL',
  gateways: 2,
  prepare: async () => {
    const postgres = await startMigratedPostgres();
    return { environment: { DATABASE_URL: postgres.url() }, stop: () => postgres.stop() };
  },
};

export const SHARED: SetUp = {
  name: 'PostgreSQL and Redis',
  gateways: 3,
  prepare: async () => {
    const [postgres, redis] = await Promise.all([startMigratedPostgres(), startRedisServer()]);
    return {
      environment: { DATABASE_URL: postgres.url(), REDIS_URL: redis.path },
      stop: async () => {
        await Promise.all([postgres.stop(), redis.stop()]);
      },
    };
  },
};

export const TWO_SHARED: SetUp = { ...SHARED, gateways: 2 };

export const SET_UPS: readonly SetUp[] = [EMBEDDED, SHARED];
