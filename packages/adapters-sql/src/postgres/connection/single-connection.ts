import { Client } from 'pg';
import { clientConfig, type Patience, sessionSettings } from './connection-settings.js';
import { withinPatience } from './within-patience.js';

/** Opens a connection outside the pools, for its caller to close. */
export async function openClient(url: string, patience: Patience): Promise<Client> {
  const client = new Client(clientConfig(url, patience));
  // Whoever asks something of it hears of its end; without a listener the process would end too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings(patience));
    return client;
  } catch (thrown) {
    await withinPatience(client.end());
    throw thrown;
  }
}
