import { openClient } from './open-client.js';
import { type Session, sessionOn } from './session.js';
import { withTimeout } from './with-timeout.js';

export interface BackgroundConnections {
  use<T>(task: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a connection for each task, so that all pooled connections stay available to requests. */
export function newConnections(url: string): BackgroundConnections {
  return {
    use: async (task) => {
      const client = await openClient(url, 'long');
      try {
        return await task(sessionOn(client));
      } finally {
        await withTimeout(client.end());
      }
    },
  };
}
