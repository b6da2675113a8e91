import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';
import { ADDRESS, pastedBlock, runCurl } from './curl-command.js';
import { codeBlock, projectRoot, readDocument } from './documents.js';

const PAGE = readDocument('docs/clients.md');

let gateway: EmbeddedGateway;
beforeAll(async () => {
  gateway = await startEmbeddedGateway();
});
afterAll(() => gateway.close());

/** Variables that a code block exports, with the address and the key of the test's gateway. */
function exported(mark: string): Readonly<Record<string, string>> {
  const lines = [...codeBlock(PAGE, mark).matchAll(/^export (\w+)=(.*)$/gmu)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value.replaceAll(ADDRESS, gateway.url).replaceAll('$KEY', gateway.key)]));
}

async function modelNamed(name: string): Promise<{ readonly context_window: number; readonly max_output_tokens: number }> {
  const reply = await fetch(`${gateway.url}/v1/models/${name}`, { headers: { authorization: `Bearer ${gateway.key}` } });
  expect(reply.status).toBe(200);
  return await reply.json() as { readonly context_window: number; readonly max_output_tokens: number };
}

async function statusOf(url: string, key: string | undefined, body: object): Promise<number> {
  const headers = { 'authorization': `Bearer ${key ?? ''}`, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ max_tokens: 50, messages: [{ role: 'user', content: 'Hello!' }], ...body }) })).status;
}

describe('clients.md names addresses, models and context windows that the gateway has, in the settings', () => {
  test('of Claude Code', async () => {
    const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: small } = exported('claude-code');
    for (const name of [model, small]) expect(await statusOf(`${url ?? ''}/v1/messages?beta=true`, key, { model: name })).toBe(200);
    const { context_window: window } = await modelNamed(model ?? '');
    expect(exported('claude-code-window')).toEqual({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(window) });
    expect(codeBlock(PAGE, 'claude-code-window')).toContain(`/v1/models/${model ?? ''} `);
  });

  test('of Codex', async () => {
    const { context_window: window } = await modelNamed('gpt-5.5');
    const stated = Object.fromEntries([...codeBlock(PAGE, 'codex-window').matchAll(/^(\w+) = (\d+)$/gmu)].map(([, name = '', value]) => [name, Number(value)]));
    expect(stated).toEqual({ model_context_window: window, model_auto_compact_token_limit: Math.floor(window * 0.9) });
  });

  test('of opencode', async () => {
    const { provider: { openai: { models } } } = JSON.parse(codeBlock(PAGE, 'opencode-window')) as { readonly provider: { readonly openai: { readonly models: Readonly<Record<string, { readonly limit: object }>> } } };
    const [name = ''] = Object.keys(models);
    const { context_window: context, max_output_tokens: output } = await modelNamed(name);
    expect(models[name]?.limit).toEqual({ context, output });
  });

  test('of aider', async () => {
    const { OPENAI_API_BASE: url, OPENAI_API_KEY: key } = exported('aider');
    const [, model = ''] = /--model openai\/(\S+)/u.exec(codeBlock(PAGE, 'aider')) ?? [];
    expect(await statusOf(`${url ?? ''}/chat/completions`, key, { model })).toBe(200);
    const { context_window: window, max_output_tokens: output } = await modelNamed(model);
    expect(JSON.parse(codeBlock(PAGE, 'aider-metadata'))).toEqual({ [`openai/${model}`]: { max_input_tokens: window, max_output_tokens: output, litellm_provider: 'openai', mode: 'chat' } });
  });
});

interface Receipt { readonly svc_cost_usd: string }

describe('the curl commands of clients.md, run unchanged, print', () => {
  test('a whole reply in the messages format, with its receipt', async () => {
    const response = await runCurl(PAGE, 'curl-messages', gateway);
    const reply = await response.json() as { readonly content: readonly { readonly text: string }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.content[0]?.text).toContain('simulated');
    expect(Number(reply.usage.svc_cost_usd)).toBeGreaterThan(0);
  });

  test('a whole reply in the responses format, with its receipt', async () => {
    const response = await runCurl(PAGE, 'curl-responses', gateway);
    const reply = await response.json() as { readonly output: readonly { readonly content: readonly { readonly text: string }[] }[]; readonly usage: Receipt };
    expect(response.status).toBe(200);
    expect(reply.output[0]?.content[0]?.text).toContain('simulated');
    expect(Number(reply.usage.svc_cost_usd)).toBeGreaterThan(0);
  });

  test('a stream, which ends with its receipt and [DONE]', async () => {
    const response = await runCurl(PAGE, 'curl-stream', gateway);
    const lines = (await response.text()).trim().split('\n\n');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(lines.at(-1)).toBe('data: [DONE]');
    expect(lines.at(-2)).toContain('"svc_tokens_debited"');
  });
});

describe('a program of clients.md, run unchanged,', () => {
  /** A folder of the project, so that programs in it find their client libraries. */
  const cache = join(projectRoot, 'node_modules', '.cache');

  test.each(['openai-client', 'anthropic-client', 'openai-responses-client', 'ai-sdk-client'])('prints the reply and its usage: %s', async (mark) => {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'clients-'));
    try {
      const program = join(folder, `${mark}.mjs`);
      writeFileSync(program, pastedBlock(PAGE, mark, gateway.url));
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { ...process.env, NODE_OPTIONS: '', KEY: gateway.key } });
      expect(stdout).toContain('This is a simulated reply');
      expect(stdout).toContain('svc_tokens_debited');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('clients.md names an address and a model that the gateway serves, in the configuration', () => {
  async function statusOfResponses(baseUrl: string, model: string): Promise<number> {
    const headers = { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}/responses`, { method: 'POST', headers, body: JSON.stringify({ model, input: 'Hello!', store: false }) });
    return response.status;
  }

  test('of Codex', async () => {
    const config = new Map([...pastedBlock(PAGE, 'codex-config', gateway.url).matchAll(/^(\w+) = "(.*)"$/gmu)].map(([, name = '', value = '']) => [name, value]));
    expect(Object.fromEntries(config)).toMatchObject({ model_provider: 'tollgate', env_key: 'KEY', wire_api: 'responses' });
    expect(await statusOfResponses(config.get('base_url') ?? '', config.get('model') ?? '')).toBe(200);
  });

  test('of opencode', async () => {
    const { provider: { openai: { options, models } }, model } = JSON.parse(pastedBlock(PAGE, 'opencode-config', gateway.url)) as {
      readonly provider: { readonly openai: { readonly options: { readonly baseURL: string; readonly apiKey: string }; readonly models: Readonly<Record<string, unknown>> } };
      readonly model: string;
    };
    expect([options.apiKey, model]).toEqual(['{env:KEY}', `openai/${Object.keys(models)[0] ?? ''}`]);
    expect(await statusOfResponses(options.baseURL, Object.keys(models)[0] ?? '')).toBe(200);
  });
});

describe('clients.md names an address and a model that the gateway serves, in the Python program', () => {
  test.each([['python-openai', '/chat/completions'], ['python-anthropic', '/v1/messages']])('%s', async (mark, path) => {
    const code = pastedBlock(PAGE, mark, gateway.url);
    const [, url = ''] = /base_url="([^"]+)"/u.exec(code) ?? [];
    const [, model = ''] = /model="([^"]+)"/u.exec(code) ?? [];
    expect(await statusOf(`${url}${path}`, gateway.key, { model })).toBe(200);
  });
});
