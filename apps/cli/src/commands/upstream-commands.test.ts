import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answersHtml, answersStatus, type Behaviour, breaksAfter, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
let upstream: ScriptedUpstream;

beforeEach(async () => {
  folder = new TollgateFolder();
  upstream = await startScriptedUpstream({ models: [{ id: 'first-model' }, { id: 'second-model:latest' }] });
});
afterEach(async () => {
  await upstream.close();
  folder.remove();
});

/** Writes a catalogue of two upstreams, one of which cannot be reached. */
function writeCatalogue(): void {
  writeFileSync(join(folder.path, 'catalog.yaml'), `
usd_per_service_token: 0.001
upstreams:
  main: { kind: openai, base_url: "${upstream.baseUrl}", api_key: very-secret-key }
  gone: { kind: openai, base_url: "http://127.0.0.1:1/v1?token=very-secret-token" }
  built-in: { kind: sandbox }
models:
  small:
    aliases: [little]
    context_window: 8000
    max_output_tokens: 1000
    price: { prompt: 1, output: 2 }
    targets: [{ upstream: main, model: first-model }, { upstream: gone, model: first-model }]
  large:
    context_window: 8000
    max_output_tokens: 1000
    price: { prompt: 1, output: 2 }
    targets: [{ upstream: main, model: second-model }, { upstream: main, model: unlisted-model }]
  simulated:
    context_window: 8000
    max_output_tokens: 1000
    price: { prompt: 1, output: 2 }
    targets: [{ upstream: built-in, model: small }]
`);
  folder.environment['CATALOG_FILE'] = 'catalog.yaml';
}

describe('upstreams status', () => {
  it('shows each upstream of the catalogue with its state and models, without a database', async () => {
    writeCatalogue();
    const { exitCode, out, error } = await folder.run('upstreams', 'status');
    const lines = out.replaceAll(upstream.baseUrl, 'http://main/v1').split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: '' });
    expect(lines).toEqual([
      'UPSTREAM | KIND | ADDRESS | STATUS | LISTED | SERVED',
      expect.stringMatching(/^main \| openai \| http:\/\/main\/v1 +\| ok \| 2 \| 3$/),
      'gone | openai | http://127.0.0.1:1/v1 | connect-failed | 1',
      'built-in | sandbox | ok | 1',
      '',
      'main does not list unlisted-model, which the catalogue names. `tollgate upstreams test main` tries.',
      '',
      'gone: the upstream could not be reached: connect ECONNREFUSED 127.0.0.1:1. Check that the server runs, and its address.',
      '',
    ]);
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('prints each upstream with its state and models as JSON', async () => {
    writeCatalogue();
    const { exitCode, out } = await folder.run('upstreams', 'status', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toEqual({ upstreams: [
      {
        id: 'main', kind: 'openai', base_url: upstream.baseUrl, state: 'ok', failure: null,
        listed_models: ['first-model', 'second-model:latest'], served_models: ['small', 'large', 'large'], unlisted_models: ['unlisted-model'],
      },
      expect.objectContaining({ id: 'gone', state: 'connect-failed', failure: { reason: 'connect-failed', message: expect.stringContaining('ECONNREFUSED') }, listed_models: null }),
      { id: 'built-in', kind: 'sandbox', base_url: null, state: 'ok', failure: null, listed_models: null, served_models: ['simulated'], unlisted_models: [] },
    ] });
    expect(out).not.toContain('very-secret');
  });

  it.each<[string, Behaviour, string]>([
    ['refuses the key', answersStatus(401, { error: { message: 'unknown key very-secret-key' } }), 'the upstream answered with status 401: unknown key [redacted]. Check its key.'],
    ['has no list at the address', answersStatus(404), 'Check the path of its address, and the name of the model there.'],
    ['answers with a page', answersHtml(200), 'the upstream did not answer with a list of models. Check the path of its address and its kind.'],
  ])('reports that UPSTREAM_BASE_URL %s', async (_, behaviour, message) => {
    upstream.scriptModels(behaviour);
    Object.assign(folder.environment, { UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_API_KEY: 'very-secret-key' });
    const { exitCode, out } = await folder.run('upstreams', 'status');
    expect(exitCode).toBe(1);
    expect(out).toContain(message);
  });

  it('shows the URL of UPSTREAM_BASE_URL and the models that are listed there', async () => {
    folder.environment['UPSTREAM_BASE_URL'] = upstream.baseUrl;
    expect(await folder.json('upstreams', 'status')).toMatchObject({ upstreams: [{ base_url: upstream.baseUrl, served_models: ['first-model', 'second-model:latest'] }] });
  });

  it('shows at a terminal which upstream it waits for', async () => {
    folder.environment['UPSTREAM_BASE_URL'] = upstream.baseUrl;
    expect(await folder.runWatched('upstreams', 'status')).toMatchObject({ exitCode: 0, progress: ['Asking upstream for its models …'] });
    expect(await folder.runWatched('upstreams', 'status', '--json')).toMatchObject({ exitCode: 0, progress: [] });
  });
});

describe('upstreams test', () => {
  it('sends one minimal real request and reads its reply', async () => {
    writeCatalogue();
    const { exitCode, out } = await folder.run('upstreams', 'test', 'main');
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^main: first-model \(small\) answered in \d+ ms\n$/)]);
    const requests = upstream.requests.filter(({ method }) => method === 'POST');
    expect(requests.map(({ body }) => body)).toEqual([expect.objectContaining({ model: 'first-model', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] })]);
  });

  it.each([['little', 'first-model'], ['large', 'second-model'], ['unlisted-model', 'unlisted-model']])('requests the model %s by its upstream name, %s', async (name, asked) => {
    writeCatalogue();
    expect(await folder.json('upstreams', 'test', 'main', '--model', name)).toMatchObject({ tests: [{ upstream: 'main', upstream_model: asked, outcome: 'answered' }] });
    expect(upstream.requests.at(-1)?.body).toMatchObject({ model: asked });
  });

  it('tests every upstream by default, and fails if one does not respond', async () => {
    writeCatalogue();
    const { exitCode, out } = await folder.run('upstreams', 'test');
    expect(exitCode).toBe(1);
    expect(out.split('\n').map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      'main: first-model (small) answered in N ms',
      expect.stringMatching(/^gone: first-model \(small\) did not answer: the upstream could not be reached.*Check that the server runs, and its address\.$/),
      'built-in: small (simulated) answered in N ms',
      '',
    ]);
  });

  it.each<[string, Behaviour, string, string]>([
    ['refuses the model', answersStatus(404, { error: { message: 'model not found' } }), 'model-unknown', 'first-model did not answer: the upstream answered with status 404: model not found. Check the path of its address, and the name of the model there.'],
    ['breaks off', breaksAfter(1, 'end'), 'cut-off', 'first-model did not answer: the upstream ended its reply without a finish reason'],
  ])('reports that a server %s although it lists its models', async (_, behaviour, reason, message) => {
    folder.environment['UPSTREAM_BASE_URL'] = upstream.baseUrl;
    upstream.always('*', behaviour);
    const { exitCode, out } = await folder.run('upstreams', 'test', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ tests: [{ outcome: 'failed', reason, message, milliseconds: null }] });
  });

  it('explains why no model to test is known', async () => {
    folder.environment['UPSTREAM_BASE_URL'] = 'http://127.0.0.1:1/v1';
    const { exitCode, out } = await folder.run('upstreams', 'test');
    expect([exitCode, out]).toEqual([1, 'upstream: no model to ask is known: the upstream could not be reached: connect ECONNREFUSED 127.0.0.1:1. Check that the server runs, and its address.\n']);
  });

  it('lists the known upstreams for an unknown upstream, and says how to list models for an unknown model', async () => {
    writeCatalogue();
    expect(await folder.run('upstreams', 'test', 'mian')).toEqual({ exitCode: 2, out: '', error: 'error: argument [name]: there is no upstream mian; there are main, gone, built-in\n' });
    expect(await folder.run('upstreams', 'test', '--model', 'none')).toEqual({
      exitCode: 2, out: '', error: 'error: option \'--model <model>\': no upstream serves a model none; `tollgate models list` shows the models on offer\n',
    });
  });
});
