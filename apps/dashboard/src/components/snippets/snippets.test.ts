import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { agentSnippets } from './agents.js';
import { javascript, python, shellWord } from './literal.js';
import { bodyOf, type SnippetInput } from './request.js';
import { snippetsFor } from './snippets.js';

const AWKWARD = 'It\'s "quoted" \\ `$HOME` $(id)\n${x} – 日本';
const FORMATS = ['chat', 'messages', 'responses'] as const;
const base: SnippetInput = { baseUrl: 'http://localhost:8080', model: 'sandbox-small', format: 'chat' };
const talk: SnippetInput = { ...base, messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: AWKWARD }], maxTokens: 64, stream: true };

function codeOf(input: SnippetInput, id: string): string {
  return snippetsFor(input).find((snippet) => snippet.id === id)?.code ?? '';
}

describe('snippets', () => {
  it('have the body of each format; in messages and responses, instructions are a separate field', () => {
    expect(bodyOf(talk)).toEqual({ model: 'sandbox-small', max_completion_tokens: 64, messages: talk.messages, stream: true });
    expect(bodyOf({ ...talk, format: 'messages' })).toEqual({
      model: 'sandbox-small', max_tokens: 64, system: 'Be brief.', messages: [{ role: 'user', content: AWKWARD }], stream: true,
    });
    expect(bodyOf({ ...talk, format: 'responses', store: false })).toEqual({
      model: 'sandbox-small', max_output_tokens: 64, instructions: 'Be brief.', input: AWKWARD, store: false, stream: true,
    });
    expect(bodyOf({ ...base, format: 'messages' })).toEqual({ model: 'sandbox-small', max_tokens: 1024, messages: [{ role: 'user', content: 'Hello!' }] });
  });

  it.each(FORMATS)('pass the exact body of %s through a shell, regardless of quotes and special characters', (format) => {
    const input = { ...talk, format };
    const shell = spawnSync('sh', ['-c', `curl() { for word; do last=$word; done; printf %s "$last"; }\n${codeOf(input, 'curl')}`], { encoding: 'utf8', env: { KEY: 'sk-test' } });
    expect(JSON.parse(shell.stdout)).toEqual(bodyOf(input));
  });

  it.each([
    ['chat', '/v1/chat/completions', "new OpenAI({ baseURL: 'http://localhost:8080/v1',"],
    ['messages', '/v1/messages', "new Anthropic({ baseURL: 'http://localhost:8080',"],
    ['responses', '/v1/responses', "new OpenAI({ baseURL: 'http://localhost:8080/v1',"],
  ] as const)('contain the URLs of %s', (format, path, client) => {
    const all = snippetsFor({ ...base, format }).map(({ code }) => code).join('\n');
    expect(all).toContain(`curl http://localhost:8080${path} `);
    expect(all).toContain(client);
  });

  it('read the key from the environment in every language', () => {
    for (const format of FORMATS) {
      for (const { code } of snippetsFor({ ...talk, format })) expect(code).toMatch(/\$KEY|process\.env\.KEY|os\.environ\["KEY"\]/);
    }
    for (const { code } of agentSnippets({ ...base, codexModel: 'gpt-5.5', contextWindow: 8_192, maxOutputTokens: 1_024 })) expect(code).toMatch(/\$KEY|\{env:KEY\}|env_key = "KEY"/);
  });

  it('disable storage in every library’s notation', () => {
    const asked: SnippetInput = { ...talk, format: 'responses', store: false };
    expect(codeOf(asked, 'openai-js')).toContain('store: false');
    expect(codeOf(asked, 'openai-python')).toContain('store=False');
    expect(codeOf(asked, 'ai-sdk')).toContain('providerOptions: { openai: { store: false } }');
    expect(codeOf(asked, 'langchain')).toContain('useResponsesApi: true, zdrEnabled: true');
    for (const format of ['chat', 'messages'] as const) for (const { code } of snippetsFor({ ...asked, format })) expect(code).not.toMatch(/store|zdr/);
  });

  it('configure Codex as the documentation does', () => {
    const [page = ''] = /(?<=<!-- tested: codex-config -->\n\n```toml\n)[^`]+(?=\n```)/.exec(readFileSync(new URL('../../../../../docs/clients.md', import.meta.url), 'utf8')) ?? [];
    const snippets = agentSnippets({ ...base, baseUrl: 'http://127.0.0.1:8080', codexModel: 'gpt-5.5', contextWindow: 8_192, maxOutputTokens: 1_024 });
    expect(snippets.find(({ id }) => id === 'codex')).toMatchObject({ code: page, file: '~/.codex/config.toml' });
  });

  it('omit libraries that cannot express the request', () => {
    const ids = (input: SnippetInput) => snippetsFor(input).map(({ id }) => id);
    expect(ids(base)).toEqual(['curl', 'openai-js', 'openai-python', 'ai-sdk', 'langchain']);
    expect(ids({ ...base, format: 'responses', store: false })).toEqual(['curl', 'openai-js', 'openai-python', 'ai-sdk', 'langchain']);
    expect(ids({ ...base, extra: { temperature: 0.2 } })).toEqual(['curl', 'openai-js', 'openai-python']);
    expect(ids({ ...base, format: 'messages', messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })).toEqual(['curl', 'anthropic-js', 'anthropic-python']);
  });
});

describe('literals', () => {
  const value = { plain: 'a', awkward: AWKWARD, 'not-a-name': [1, true, false, null], nested: { deep: [{ text: 'x'.repeat(90) }, {}] } };

  it('of JavaScript evaluate to the value', () => {
    const run = spawnSync(process.execPath, ['-e', `process.stdout.write(JSON.stringify(${javascript(value)}))`], { encoding: 'utf8' });
    expect(JSON.parse(run.stdout)).toEqual(value);
  });

  it('of Python use True, False and None', () => {
    expect(python([true, false, null, 'it\'s'])).toBe('[True, False, None, "it\'s"]');
  });

  it('of a shell are quoted as one word', () => {
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
  });
});
