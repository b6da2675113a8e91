import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { answersHtml, answersStatus, type Behaviour, type ScriptedUpstream, sendsRaw, startScriptedUpstream } from '@tollgate/testkit';
import type { OpenaiUpstream } from '../upstream-definition.js';
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

  it('lists the models with the limits the server tells of', async () => {
    expect(await discoverModels(definition, new ManualClock())).toEqual([
      { id: 'vllm', contextWindowTokens: 32_768, maxOutputTokens: null },
      { id: 'openrouter', contextWindowTokens: 8_000, maxOutputTokens: 4_000 },
      { id: 'llama.cpp', contextWindowTokens: 4_096, maxOutputTokens: null },
      { id: 'messages', contextWindowTokens: 200_000, maxOutputTokens: null },
      { id: 'silent', contextWindowTokens: null, maxOutputTokens: null },
      { id: 'lying', contextWindowTokens: null, maxOutputTokens: null },
    ]);
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models', headers: { authorization: 'Bearer secret-key' } });
  });

  it('asks a server of the messages format for all its models, in its own way', async () => {
    const models = await discoverModels({ ...definition, kind: 'anthropic', baseUrl: upstream.origin, options: {} }, new ManualClock());
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
});
