import { afterEach, describe, expect, it } from '@jest/globals';
import { type ModelSlug, tokenCount } from '@tollgate/core';
import { bodyOfEveryFormat, COUNTING_PATHS, FORMATS } from './acceptance/support/formats.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';

const KEY = `sk-${'aB3'.repeat(16)}`;
const MESSAGES = [{ role: 'user', content: 'hidden prompt' }];
const BODY = { model: 'small', max_tokens: 5, messages: MESSAGES };

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  gateway = await startTestGateway(options);
  return gateway;
}

function lines() {
  return gateway.parts.logged.filter(({ msg }) => msg === 'request');
}

/** The log line of a refusal, and the message that the client got. */
async function refused(path: string, body: unknown) {
  const reply = await gateway.post(path, body);
  const { error } = await reply.json() as { readonly error: { readonly message: string } };
  return { status: reply.status, error, line: lines().find(({ requestId }) => requestId === reply.headers.get('x-request-id')) };
}

describe('the log line of a refused request', () => {
  it('has the message with its figures, and the requested model even if nothing was reserved', async () => {
    await start({ credit: '0.01' });
    const { status, error, line } = await refused('/v1/chat/completions', BODY);
    expect(status).toBe(402);
    expect(error.message).toMatch(/^This request needs at least [\d.]+ service tokens set aside, but only 0\.01 are available\. Add credit to your Tollgate account at \S+\/dashboard\/billing$/);
    expect(line).toMatchObject({ code: 'insufficient_balance', message: error.message, param: null, requestedModel: 'small', model: null, charged: null });
  });

  it.each([...FORMATS.map(({ path }) => path), ...COUNTING_PATHS])('of %s names the invalid field and the model as the client wrote it', async (path) => {
    await start({});
    const { error, line } = await refused(path, { ...bodyOfEveryFormat('Hi', 10), model: 'unknown' });
    expect(line).toMatchObject({ code: 'model_not_found', message: error.message, param: 'model', requestedModel: 'unknown' });
  });

  it.each(FORMATS.map(({ path }) => path))('of %s has the figures of the limit, which the client does not see', async (path) => {
    await start({ limits: { requestsPerMinute: 1, tokensPerMinute: tokenCount(1_000) } });
    const tooLarge = await refused(path, { ...bodyOfEveryFormat('Hi', 2_000), model: 'small' });
    expect(tooLarge.line).toMatchObject({
      code: 'tokens_per_minute_exceeded', exceeded: { limit: 'tokens-per-minute', incidentModel: null, maximum: 1_000, used: 0, wanted: expect.any(Number) },
    });
    expect(Object.keys(tooLarge.error)).not.toContain('exceeded');
    const body = { ...bodyOfEveryFormat('Hi', 10), model: 'small' };
    await (await gateway.post(path, body)).text();
    const { line } = await refused(path, body);
    expect(line).toMatchObject({ code: 'rate_limit_exceeded', exceeded: { limit: 'requests-per-minute', incidentModel: null, maximum: 1, used: 1, wanted: 1 } });
  });

  it('names the model whose incident limit refused the request', async () => {
    await start({});
    const incident = { model: 'small' as ModelSlug, setAt: gateway.parts.clock.now(), requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: 0, expiresAt: null };
    gateway.parts.platform.incidentLimits.set(incident.model, incident);
    const { line } = await refused('/v1/chat/completions', BODY);
    expect(line).toMatchObject({ exceeded: { limit: 'concurrent-requests', incidentModel: 'small', maximum: 0, used: 0, wanted: 1 } });
  });

  it('has no figures of a limit if the balance refused the request', async () => {
    await start({ credit: '0.01' });
    expect((await refused('/v1/chat/completions', BODY)).line).not.toHaveProperty('exceeded');
  });

  it('names the requested model in the same field as the line of a served request', async () => {
    await start({});
    await (await gateway.post('/v1/messages', BODY)).text();
    expect(lines()).toMatchObject([{ code: null, requestedModel: 'small', model: 'small' }]);
    expect(lines()[0]).not.toHaveProperty('message');
  });

  it('has no key, no e-mail address, and a message of at most 300 characters', async () => {
    await start({});
    await refused('/v1/messages', { ...BODY, model: `${KEY} of ann@example.com` });
    const choice = { type: 'function', function: { name: `${KEY} of ann@example.com ${'x'.repeat(10_000)}` } };
    await refused('/v1/chat/completions', { ...BODY, tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: choice });
    expect(lines()).toMatchObject([
      { code: 'model_not_found', requestedModel: 'sk-[redacted] of [address]' },
      { code: 'invalid_request', param: 'tool_choice', message: expect.stringMatching(/^'tool_choice' names a tool that is not in 'tools': "sk-\[redacted\] of \[address\] x{2,}$/) },
    ]);
    expect(lines().map(({ message }) => String(message).length)).toEqual([expect.any(Number), 300]);
    expect(JSON.stringify(gateway.parts.logged)).not.toMatch(/hidden|aB3|ann@/);
  });
});
