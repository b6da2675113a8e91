import { ConnectionPool } from './connection-pool.js';

/** Connections for money operations. Each runs one group of operations at a time. */
export const MONEY_CONNECTIONS = 4;
/** Connections for everything else: look-ups, reads, changes by operators, and the sweeper. */
export const OTHER_CONNECTIONS = 6;

export interface StorePools {
  readonly pool: ConnectionPool;
  readonly moneyPool: ConnectionPool;
}

export function storePools(url: string): StorePools {
  return { pool: new ConnectionPool(url, OTHER_CONNECTIONS), moneyPool: new ConnectionPool(url, MONEY_CONNECTIONS) };
}

export async function closePools({ pool, moneyPool }: StorePools): Promise<void> {
  await moneyPool.close();
  await pool.close();
}
