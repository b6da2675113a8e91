import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-test-gateway.js';
import { readCurl } from './curl-command.js';
import { codeBlock, projectRoot, readDocument } from './documents.js';

const README = readDocument('README.md');
const ADDRESS = 'http://127.0.0.1:8080';

let gateway: EmbeddedGateway;

beforeAll(async () => {
  gateway = await startEmbeddedGateway();
});

afterAll(() => gateway.close());

/** A block as the reader pastes it, but for the port, which is free here. */
function pasted(mark: string): string {
  const code = codeBlock(README, mark);
  expect(code).toContain(ADDRESS);
  return code.replaceAll(ADDRESS, gateway.url);
}

function runCurl(mark: string): Promise<Response> {
  const { url, init } = readCurl(pasted(mark), { KEY: gateway.key });
  return fetch(url, init);
}

interface Receipt { readonly svc_tokens_debited: string; readonly svc_cost_usd: string }

describe('the curl commands of the README work unchanged', () => {
  test('a whole reply in the chat-completions format, with its receipt', async () => {
    const response = await runCurl('curl-chat');
    const reply = await response.json() as { readonly choices: readonly { readonly message: { readonly content: string } }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.choices[0]?.message.content).toContain('simulated');
    expect(reply.usage).toMatchObject(JSON.parse(codeBlock(README, 'receipt')) as Record<string, unknown>);
    expect(response.headers.get('x-svc-tokens-debited')).toBe(reply.usage.svc_tokens_debited);
    expect(response.headers.get('x-svc-model')).toBe('sandbox-small');
  });

  test('a whole reply in the messages format, with its receipt', async () => {
    const response = await runCurl('curl-messages');
    const reply = await response.json() as { readonly content: readonly { readonly text: string }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.content[0]?.text).toContain('simulated');
    expect(Number(reply.usage.svc_cost_usd)).toBeGreaterThan(0);
  });

  test('a whole reply in the responses format, with its receipt', async () => {
    const response = await runCurl('curl-responses');
    const reply = await response.json() as { readonly output: readonly { readonly content: readonly { readonly text: string }[] }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.output[0]?.content[0]?.text).toContain('simulated');
    expect(Number(reply.usage.svc_cost_usd)).toBeGreaterThan(0);
  });

  test('a stream, which ends with its receipt and [DONE]', async () => {
    const response = await runCurl('curl-stream');
    const lines = (await response.text()).trim().split('\n\n');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(lines.at(-1)).toBe('data: [DONE]');
    expect(lines.at(-2)).toContain('"svc_tokens_debited"');
  });

  test('the record of the last request', async () => {
    const served = await runCurl('curl-chat');
    const response = await runCurl('curl-usage');
    const page = await response.json() as { readonly data: readonly { readonly request_id: string }[] };
    expect(page.data.map(({ request_id }) => request_id)).toEqual([served.headers.get('x-request-id')]);
  });
});

describe('the programs of the README work unchanged', () => {
  /** Beside node_modules, so that the programs find the clients they import. */
  const cache = join(projectRoot, 'node_modules', '.cache');

  test.each(['openai-client', 'anthropic-client', 'openai-responses-client', 'ai-sdk-client'])('%s prints the reply and its usage', async (mark) => {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'readme-'));
    try {
      const program = join(folder, `${mark}.mjs`);
      writeFileSync(program, pasted(mark));
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { ...process.env, NODE_OPTIONS: '', KEY: gateway.key } });
      expect(stdout).toContain('This is a simulated reply');
      expect(stdout).toContain('svc_tokens_debited');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the configurations of the README name an address and a model that are served', () => {
  /** Asks at the address that a client is configured with, as it would. */
  async function statusOf(baseUrl: string, model: string): Promise<number> {
    const headers = { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/responses`, { method: 'POST', headers, body: JSON.stringify({ model, input: 'Hello!', store: false }) });
    return response.status;
  }

  test('of Codex', async () => {
    const config = new Map([...pasted('codex-config').matchAll(/^(\w+) = "(.*)"$/gmu)].map(([, name = '', value = '']) => [name, value]));
    expect(Object.fromEntries(config)).toMatchObject({ model_provider: 'tollgate', env_key: 'KEY', wire_api: 'responses' });
    expect(await statusOf(config.get('base_url') ?? '', config.get('model') ?? '')).toBe(200);
  });

  test('of opencode', async () => {
    const { provider: { openai: { options, models } }, model } = JSON.parse(pasted('opencode-config')) as {
      readonly provider: { readonly openai: { readonly options: { readonly baseURL: string; readonly apiKey: string }; readonly models: Readonly<Record<string, unknown>> } };
      readonly model: string;
    };
    expect([options.apiKey, model]).toEqual(['{env:KEY}', `openai/${Object.keys(models)[0] ?? ''}`]);
    expect(await statusOf(options.baseURL, Object.keys(models)[0] ?? '')).toBe(200);
  });
});
