import { Client, type QueryArrayResult } from 'pg';
import { cellOf, type DatabaseView, type Row, type Stored } from './database-view.js';

const PATIENCE_MILLISECONDS = 20_000;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, query_timeout: PATIENCE_MILLISECONDS, connectionTimeoutMillis: PATIENCE_MILLISECONDS });
  // Whoever asks something of it hears of its end; without a listener the process would end too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Opens a PostgreSQL database to look into it; connects when it is first asked, and once more when its connection has been lost. */
export function viewPostgres(url: string): DatabaseView {
  let connected: Client | null = null;
  const close = async (): Promise<void> => {
    const client = connected;
    connected = null;
    await client?.end().catch(() => undefined);
  };
  const ask = async (text: string): Promise<readonly QueryArrayResult[]> => {
    connected ??= await connect(url);
    return await connected.query({ text, rowMode: 'array' }) as unknown as readonly QueryArrayResult[];
  };
  return {
    read: async (queries) => {
      const text = ['begin isolation level repeatable read read only', ...queries, 'commit'].join(';\n');
      const results = await ask(text).catch(async () => {
        await close();
        return ask(text);
      });
      return results.slice(1, -1).map(({ rows }) => rows.map((row: readonly Stored[]): Row => row.map(cellOf)));
    },
    close,
  };
}
