import { Pool, type PoolClient } from 'pg';
import { clientConfig, sessionSettings } from './client-config.js';
import { connectFailure, isStalePlan, isTransient } from './connection-failures.js';
import { type Session, sessionOn } from './session.js';
import { withTimeout } from './with-timeout.js';

const IDLE_MILLISECONDS = 60_000;

/** Opens connections on demand and replaces broken ones. */
export class ConnectionPool {
  private readonly pool: Pool;
  /** Connections with session settings, and the generation in which they were opened. */
  private readonly prepared = new WeakMap<PoolClient, number>();
  /** Incremented if a prepared statement is outdated. Connections of earlier generations are then closed. */
  private generation = 0;

  constructor(url: string, readonly size: number) {
    this.pool = new Pool({ ...clientConfig(url, 'short'), max: size, idleTimeoutMillis: IDLE_MILLISECONDS });
    // The pool replaces broken connections, and queries on them fail. Without a listener, an `error` event would also end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', () => undefined);
  }

  /** Waits for a free connection. A transient error closes it, and so rolls back its transaction; for other errors, the task must roll back. */
  async use<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const session = sessionOn(client);
      if (!this.prepared.has(client)) await session.query(sessionSettings('short'));
      this.prepared.set(client, this.prepared.get(client) ?? this.generation);
      const result = await task(session);
      client.release();
      return result;
    } catch (thrown) {
      if (isStalePlan(thrown)) this.generation += 1;
      client.release(isTransient(thrown));
      throw thrown;
    }
  }

  close(): Promise<void> {
    return withTimeout(this.pool.end());
  }

  private async connect(): Promise<PoolClient> {
    try {
      let client = await this.pool.connect();
      while (this.isOutdated(client)) {
        client.release(true);
        client = await this.pool.connect();
      }
      return client;
    } catch (thrown) {
      throw connectFailure(thrown);
    }
  }

  private isOutdated(client: PoolClient): boolean {
    return (this.prepared.get(client) ?? this.generation) < this.generation;
  }
}
