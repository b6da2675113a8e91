import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMessagesStream } from '@tollgate/testkit';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';
import { AGENT_PATH, agentHeaders, agentRequest, FIRST_TURNS } from './agent-requests.js';

describe('the built-in models', () => {
  let embedded: EmbeddedGateway;

  beforeAll(async () => {
    embedded = await startEmbeddedGateway();
  });

  afterAll(() => embedded.close());

  it.each([
    ['claude-opus-4-7', 'sandbox-reasoner'],
    ['claude-sonnet-5', 'sandbox-reasoner'],
    ['claude-haiku-4-5-20251001', 'sandbox-small'],
    ['claude-3-5-haiku-latest', 'sandbox-small'],
  ])('include an alias: a coding agent that asks for %s is served by %s', async (model, servedBy) => {
    const body = JSON.stringify(agentRequest(FIRST_TURNS, { model, max_tokens: 8000 }));
    const reply = await fetch(`${embedded.url}${AGENT_PATH}`, { method: 'POST', headers: agentHeaders(embedded.key), body });
    expect([reply.status, reply.headers.get('x-svc-model')]).toEqual([200, servedBy]);
    const { message, stopReason } = checkMessagesStream(await reply.text());
    expect([message?.['model'], stopReason]).toEqual([servedBy, 'end_turn']);
  });

  it.each([
    ['gpt-5.5', 'sandbox-reasoner'],
    ['gpt-6.1-sol', 'sandbox-reasoner'],
    ['codex-mini-latest', 'sandbox-reasoner'],
    ['o3', 'sandbox-reasoner'],
    ['o4-mini', 'sandbox-reasoner'],
    ['gpt-4.1-mini', 'sandbox-small'],
  ])('include an alias: a client of the responses format that asks for %s is served by %s', async (model, servedBy) => {
    const headers = { 'authorization': `Bearer ${embedded.key}`, 'content-type': 'application/json' };
    const reply = await fetch(`${embedded.url}/v1/responses`, { method: 'POST', headers, body: JSON.stringify({ model, input: 'Hello!', store: false }) });
    expect([reply.status, reply.headers.get('x-svc-model')]).toEqual([200, servedBy]);
    expect(await reply.json()).toMatchObject({ model: servedBy, status: 'completed', store: false });
  });
});
