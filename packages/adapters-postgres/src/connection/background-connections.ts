import type { Client } from 'pg';
import { connectFailure, storeFailure } from './connection-failures.js';
import { openClient } from './open-client.js';
import { type Session, sessionOn } from './session.js';
import { withTimeout } from './with-timeout.js';

export interface BackgroundConnections {
  /** Throws failures of the server or the connection as `StoreUnavailable`. */
  use<T>(task: (session: Session) => Promise<T>): Promise<T>;
}

async function connect(url: string): Promise<Client> {
  try {
    return await openClient(url, 'long');
  } catch (thrown) {
    throw connectFailure(thrown);
  }
}

async function runOnNew<T>(url: string, task: (session: Session) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await task(sessionOn(client));
  } finally {
    await withTimeout(client.end());
  }
}

/** Opens a connection for each task, so that all pooled connections stay available to requests. */
export function newConnections(url: string): BackgroundConnections {
  return {
    use: async (task) => {
      try {
        return await runOnNew(url, task);
      } catch (thrown) {
        throw storeFailure(thrown);
      }
    },
  };
}
