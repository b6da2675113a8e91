import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@tollgate/adapters-config';
import { startPostgresServer, startRedisServer } from '@tollgate/testkit';

/** What gateways stand on. */
export interface Ground {
  readonly environment: Environment;
  stop(): Promise<void>;
}

/** One of the two ways in which gateways are run. */
export interface SetUp {
  readonly name: string;
  /** How many gateways run over the same ground. */
  readonly gateways: number;
  prepare(): Promise<Ground>;
}

/** One gateway on a database file. */
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

/** Two gateways on one PostgreSQL server of the test's own; each counts limits by itself. */
export const TWO_ON_POSTGRES: SetUp = {
  name: 'PostgreSQL',
  gateways: 2,
  prepare: async () => {
    const postgres = await startPostgresServer();
    return { environment: { DATABASE_URL: postgres.url() }, stop: () => postgres.stop() };
  },
};

/** Three gateways on one PostgreSQL server and one Redis server, each of the test's own. */
export const SHARED: SetUp = {
  name: 'PostgreSQL and Redis',
  gateways: 3,
  prepare: async () => {
    const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
    return {
      environment: { DATABASE_URL: postgres.url(), REDIS_URL: redis.path },
      stop: async () => {
        await Promise.all([postgres.stop(), redis.stop()]);
      },
    };
  },
};

/** The same for two gateways. */
export const TWO_SHARED: SetUp = { ...SHARED, gateways: 2 };

export const SET_UPS: readonly SetUp[] = [EMBEDDED, SHARED];
