import { DatabaseError, Pool, type PoolClient } from 'pg';
import { clientConfig, sessionSettings } from './connection-settings.js';
import { ConnectionLostError, isPassing } from './database-errors.js';
import { type Session, sessionOn } from './session.js';
import { withinPatience } from './within-patience.js';

const IDLE_MILLISECONDS = 60_000;

/** A bounded number of connections, opened when they are needed and replaced when they break. */
export class ConnectionPool {
  private readonly pool: Pool;
  /** Connections that have their settings. */
  private readonly prepared = new WeakSet<PoolClient>();

  constructor(url: string, readonly size: number) {
    this.pool = new Pool({ ...clientConfig(url, 'short'), max: size, idleTimeoutMillis: IDLE_MILLISECONDS });
    // A connection that breaks is replaced by the next one. Whoever uses it hears of that from its query; without a listener the process would end.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', () => undefined);
  }

  /** Waits for a connection, and takes it back when the task is done. One that failed is closed, and so is what it had begun. */
  async use<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const session = sessionOn(client);
      if (!this.prepared.has(client)) await session.query(sessionSettings('short'));
      this.prepared.add(client);
      const result = await task(session);
      client.release();
      return result;
    } catch (thrown) {
      client.release(isPassing(thrown));
      throw thrown;
    }
  }

  close(): Promise<void> {
    return withinPatience(this.pool.end());
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (thrown) {
      throw thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
    }
  }
}
