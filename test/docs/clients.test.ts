import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-test-gateway.js';
import { codeBlock, readDocument } from './documents.js';

const PAGE = readDocument('docs/clients.md');
const ADDRESS = 'http://127.0.0.1:8080';

let gateway: EmbeddedGateway;
beforeAll(async () => {
  gateway = await startEmbeddedGateway();
});
afterAll(() => gateway.close());

/** The variables that a block exports, with the address and the key that are here. */
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

describe('the settings of clients.md name addresses, models and windows that are served', () => {
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
