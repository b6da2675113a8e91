import type { OpenaiUpstream } from '@tollgate/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import {
  answersHtml, answersStatus, type Behaviour, hangsBeforeHeaders, resetsBeforeHeaders, type ScriptedUpstream, sendsRaw,
  startScriptedUpstream,
} from '@tollgate/testkit';
import { discoverModels } from './discover-models.js';

describe('discoverModels', () => {
  let upstream: ScriptedUpstream;
  let definition: OpenaiUpstream;

  beforeEach(async () => {
    upstream = await startScriptedUpstream({
      models: [
        { id: 'vllm', max_model_len: 32_768 },
        { id: 'openrouter', context_length: 8_000, max_completion_tokens: 4_000 },
        { id: 'llama.cpp', meta: { n_ctx_train: 4_096 } },
        { id: 'messages', type: 'model', max_input_tokens: 200_000 },
        { id: 'silent' },
        { id: 'lying', max_model_len: -1, context_window: 'large' },
        { id: '' },
      ],
    });
    definition = { id: 'main', kind: 'openai', baseUrl: upstream.baseUrl, apiKey: 'secret-key' };
  });
  afterEach(() => upstream.close());

  it('lists the models with the server’s limits', async () => {
    expect((await discoverModels(definition, new ManualClock())).models).toEqual([
      { id: 'vllm', contextWindowTokens: 32_768, maxOutputTokens: null },
      { id: 'openrouter', contextWindowTokens: 8_000, maxOutputTokens: 4_000 },
      { id: 'llama.cpp', contextWindowTokens: 4_096, maxOutputTokens: null },
      { id: 'messages', contextWindowTokens: 200_000, maxOutputTokens: null },
      { id: 'silent', contextWindowTokens: null, maxOutputTokens: null },
      { id: 'lying', contextWindowTokens: null, maxOutputTokens: null },
    ]);
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models', headers: { authorization: 'Bearer secret-key' } });
  });

  it('requests up to 1,000 models from a server of the messages format, with the headers of this format', async () => {
    const { models } = await discoverModels({ ...definition, kind: 'anthropic', baseUrl: upstream.origin, options: {} }, new ManualClock());
    expect(models.map(({ id }) => id)).toContain('messages');
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models?limit=1000', headers: { 'x-api-key': 'secret-key', 'anthropic-version': '2023-06-01' } });
  });

  it('leaves no connection and no timer behind', async () => {
    const clock = new ManualClock();
    await discoverModels(definition, clock);
    await upstream.requests[0]?.ended;
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(clock.pendingTasks).toBe(0);
    expect(await upstream.connectionCount()).toBe(0);
  });

  it.each<[string, Behaviour, string]>([
    ['an error status', answersStatus(401), 'bad-credentials'],
    ['a page', answersHtml(200), 'malformed-reply'],
    ['something else than a list', sendsRaw('{"data": 5}', 'application/json'), 'malformed-reply'],
  ])('fails on %s', async (_name, ...[behaviour, reason]) => {
    upstream.scriptModels(behaviour);
    await expect(discoverModels(definition, new ManualClock())).rejects.toMatchObject({ reason });
  });

  describe('for a server with an address without /v1', () => {
    const onlyWithVersion: Behaviour = (request) => (request.path.startsWith('/v1/') ? sendsRaw('{"data":[{"id":"m","max_model_len":8}]}', 'application/json')(request) : answersStatus(404)(request));

    it.each(['', '/'])('finds the list under /v1, at an address that ends in %p', async (path) => {
      upstream.scriptModels(onlyWithVersion);
      const list = await discoverModels({ ...definition, baseUrl: `${upstream.origin}${path}` }, new ManualClock());
      expect(list).toEqual({ baseUrl: upstream.baseUrl, models: [{ id: 'm', contextWindowTokens: 8, maxOutputTokens: null }] });
      expect(upstream.requests.map((request) => request.path)).toEqual(['/models', '/v1/models']);
    });

    it('keeps the address if it has a list of models', async () => {
      expect((await discoverModels({ ...definition, baseUrl: upstream.origin }, new ManualClock())).baseUrl).toBe(upstream.origin);
    });

    it.each<[string, Behaviour, number, string]>([
      ['neither address has a list', answersStatus(404), 2, 'model-unknown'],
      ['the key is refused', answersStatus(401), 1, 'bad-credentials'],
    ])('fails when %s', async (_name, ...[behaviour, requests, reason]) => {
      upstream.scriptModels(behaviour);
      await expect(discoverModels({ ...definition, baseUrl: upstream.origin }, new ManualClock())).rejects.toMatchObject({ reason });
      expect(upstream.requests).toHaveLength(requests);
    });
  });

  describe('the current context window', () => {
    const json = (value: unknown): Behaviour => sendsRaw(JSON.stringify(value), 'application/json');
    const listing = (data: unknown, props: Behaviour): Behaviour => (request) => (request.path === '/props' ? props(request) : json({ data })(request));
    const windows = async (clock = new ManualClock()) => Object.fromEntries((await discoverModels(definition, clock)).models.map(({ id, contextWindowTokens }) => [id, contextWindowTokens]));

    /** Reply of Ollama 0.17 to `/api/show`, by model. */
    const SHOWN: Readonly<Record<string, unknown>> = {
      'set:latest': { parameters: 'stop                           "<|im_end|>"\nnum_ctx                        8192\ntemperature                    0.7', model_info: { 'qwen3.context_length': 40_960 } },
      'unset:8b': { parameters: 'temperature 1', model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } },
      'odd:1b': { parameters: 'num_ctx many', model_info: { 'x.context_length': '9' } },
      'empty:1b': {},
    };

    it('is read from Ollama for each model: the configured window, otherwise the model’s own', async () => {
      upstream.scriptModels(json({ object: 'list', data: Object.keys(SHOWN).map((id) => ({ id, object: 'model', owned_by: 'library' })) }));
      upstream.always('*', (request) => json(SHOWN[request.body['model'] as string])(request));
      expect(await windows()).toEqual({ 'set:latest': 8192, 'unset:8b': 131_072, 'odd:1b': null, 'empty:1b': null });
      expect(upstream.requests.slice(1).map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual(Object.keys(SHOWN).map(() => ['POST', '/api/show', 'Bearer secret-key']));
    });

    it.each<[string, Behaviour]>([
      ['does not know the question', answersStatus(404)],
      ['answers with a page', answersHtml(200)],
      ['answers without end', sendsRaw(`{"parameters":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'application/json')],
      ['hangs up', resetsBeforeHeaders()],
    ])('is not requested again from a server that %s', async (_name, behaviour) => {
      upstream.scriptModels(json({ data: [{ id: 'a:1' }, { id: 'b:1' }, { id: 'c:1' }] }));
      upstream.always('*', behaviour);
      expect(await windows()).toEqual({ 'a:1': null, 'b:1': null, 'c:1': null });
      expect(upstream.requests).toHaveLength(2);
    });

    it('is unknown for models that the server has not described within five seconds in total', async () => {
      upstream.scriptModels(json({ data: [{ id: 'a:1' }, { id: 'b:1' }, { id: 'c:1' }] }));
      upstream.script('*', json(SHOWN['set:latest']));
      upstream.always('*', hangsBeforeHeaders());
      const clock = new ManualClock();
      const asking = windows(clock);
      await upstream.request(3);
      clock.advance(5_000);
      expect(await asking).toEqual({ 'a:1': 8192, 'b:1': null, 'c:1': null });
      expect(clock.pendingTasks).toBe(0);
    });

    it.each<[string, Behaviour, number]>([
      ['the window in its settings', json({ default_generation_settings: { n_ctx: 2048 }, total_slots: 1 }), 2048],
      ['the window in the list if it has no settings', answersStatus(404), 4096],
    ])('is read from a llama.cpp whose list states the training context: %s', async (_name, ...[props, window]) => {
      upstream.scriptModels(listing([{ id: 'tiny.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 4096 } }], props));
      expect(await windows()).toEqual({ 'tiny.gguf': window });
      expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/models', '/props']);
    });

    it('is read from the list of a llama.cpp that states it, without a request for its settings', async () => {
      upstream.scriptModels(listing([{ id: 'tiny.gguf', owned_by: 'llamacpp', meta: { n_ctx: 2048, n_ctx_train: 4096 } }], answersStatus(500)));
      expect(await windows()).toEqual({ 'tiny.gguf': 2048 });
      expect(upstream.requests).toHaveLength(1);
    });
  });
});
