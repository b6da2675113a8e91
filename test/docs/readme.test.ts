import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';
import { runCurl } from './curl-command.js';
import { codeBlock, readDocument } from './documents.js';

const README = readDocument('README.md');

let gateway: EmbeddedGateway;

beforeAll(async () => {
  gateway = await startEmbeddedGateway();
});

afterAll(() => gateway.close());

interface Receipt { readonly svc_tokens_debited: string; readonly svc_cost_usd: string }

describe('the curl commands of the README, run unchanged, print', () => {
  test('a whole reply in the chat-completions format, with its receipt', async () => {
    const response = await runCurl(README, 'curl-chat', gateway);
    const reply = await response.json() as { readonly choices: readonly { readonly message: { readonly content: string } }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.choices[0]?.message.content).toContain('simulated');
    expect(reply.usage).toMatchObject(JSON.parse(codeBlock(README, 'receipt')) as Record<string, unknown>);
    expect(response.headers.get('x-svc-tokens-debited')).toBe(reply.usage.svc_tokens_debited);
    expect(response.headers.get('x-svc-model')).toBe('sandbox-small');
  });

  test('the record of the last request', async () => {
    const served = await runCurl(README, 'curl-chat', gateway);
    const response = await runCurl(README, 'curl-usage', gateway);
    const page = await response.json() as { readonly data: readonly { readonly request_id: string }[] };
    expect(page.data.map(({ request_id }) => request_id)).toEqual([served.headers.get('x-request-id')]);
  });
});
