import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { UpstreamConnection } from './connection.js';
import { NO_ACCOUNT } from './connection-places.js';
import { UpstreamSockets } from './upstream-sockets.js';

const OPTIONS = { maxConnections: 1, maxResponseBytes: 1_000, timeouts: {} };

it.each([['https://models.example/v1', 'encrypted'], ['HTTPS://models.example', 'encrypted'], ['http://models.example/v1', 'plain']])('the connection to %s is %s', async (baseUrl, transport) => {
  const connection = new UpstreamConnection({ baseUrl, headers: {}, options: OPTIONS }, { clock: new ManualClock() });
  expect(connection.transport).toBe(transport);
  await connection.close();
});

it('a call for which no socket may be opened occupies no connection', async () => {
  const sockets = new UpstreamSockets();
  sockets.boundBy(() => false);
  const connection = new UpstreamConnection({ baseUrl: 'http://models.example/v1', headers: {}, options: OPTIONS }, { clock: new ManualClock(), sockets });
  const call = { endpoint: '/models', body: null, accept: 'application/json', firstByteFactor: 1, accountId: NO_ACCOUNT, signal: null, requestId: null } as const;
  await expect(connection.ask(call)).rejects.toMatchObject({ code: 'server_busy' });
  await expect(connection.ask(call)).rejects.toMatchObject({ code: 'server_busy' });
  await connection.close();
});
