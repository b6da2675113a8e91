import { Client } from 'pg';
import { clientConfig, sessionSettings, type StatementTime } from './client-config.js';
import { withTimeout } from './with-timeout.js';

/** Opens a connection outside the pools. The caller closes it. */
export async function openClient(url: string, time: StatementTime): Promise<Client> {
  const client = new Client(clientConfig(url, time));
  // Queries on a broken connection fail. Without a listener, an `error` event would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings(time));
    return client;
  } catch (thrown) {
    await withTimeout(client.end());
    throw thrown;
  }
}
