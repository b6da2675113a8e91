import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { UpstreamConnection } from './connection.js';

it.each([['https://models.example/v1', 'encrypted'], ['HTTPS://models.example', 'encrypted'], ['http://models.example/v1', 'plain']])('knows of %s that what it sends there is %s', async (baseUrl, transport) => {
  const options = { maxConnections: 1, maxResponseBytes: 1_000, timeouts: {} };
  const connection = new UpstreamConnection({ baseUrl, headers: {}, options }, { clock: new ManualClock() });
  expect(connection.transport).toBe(transport);
  await connection.close();
});
