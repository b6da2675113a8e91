import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { type PostgresServer, startPostgresServer, until } from '@tollgate/testkit';
import { services } from '../src/composition/services.js';
import { createGateway } from '../src/composition/container.js';
import type { Gateway } from '../src/gateway/gateway.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

describe('gateways over one PostgreSQL database', () => {
  let server: PostgresServer;
  let first: EmbeddedGateway;
  let second: Gateway;

  beforeAll(async () => {
    server = await startPostgresServer();
    const environment = { PORT: '0', DATABASE_URL: server.url(), LOG_LEVEL: 'silent' };
    first = await startEmbeddedGateway({ environment });
    second = await createGateway(environment);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await server.stop();
  });
  afterEach(async () => {
    const ledgerAudit = first.gateway.container.get(services.ledgerAudit);
    const { differences } = await ledgerAudit.verify();
    if (differences.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(differences)}`);
  });

  function ask(url: string, body: object = {}): Promise<Response> {
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${first.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }], ...body }),
    });
  }

  async function read(path: string): Promise<Readonly<Record<string, unknown>>> {
    const reply = await fetch(`${second.url}${path}`, { headers: { authorization: `Bearer ${first.key}` } });
    return await reply.json() as Readonly<Record<string, unknown>>;
  }

  it('are ready', async () => {
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  });

  it('show the requests and charges of each other', async () => {
    const reply = await ask(first.gateway.url);
    expect(reply.status).toBe(200);
    const debited = reply.headers.get('x-svc-tokens-debited');
    expect(Number(debited)).toBeGreaterThan(0);
    const record = await read(`/v1/usage/${reply.headers.get('x-request-id') ?? ''}`);
    expect(JSON.stringify(record)).toContain(`"${debited ?? 'no charge'}"`);
  });

  it('refuse a revoked key within a second, whichever of them is asked', async () => {
    expect((await ask(second.url)).status).toBe(200);
    await first.gateway.container.get(services.keys).revoke(first.account.id, first.keyId, { actor: SYSTEM_ACTOR, at: first.gateway.container.get(services.clock).now() });
    const revoked = performance.now();
    await until(async () => (await ask(second.url)).status === 401);
    expect(performance.now() - revoked).toBeLessThan(1000);
  });
});
