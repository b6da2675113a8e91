import { describe, expect, it } from '@jest/globals';
import type { ModelSlug } from '@tollgate/core';
import { catalogueFromDiscovery, DEFAULT_CONTEXT_WINDOW, DEFAULT_MAX_OUTPUT, type DiscoveredServer } from './catalogue-from-discovery.js';

const SERVER = {
  kind: 'openai',
  baseUrl: 'http://127.0.0.1:8000/v1',
  apiKey: 'secret',
  reasoningStyle: 'off-only',
  timeouts: { connectMilliseconds: 1, firstByteMilliseconds: 2, firstOutputMilliseconds: 5, silenceMilliseconds: 3, wholeMilliseconds: 4 },
} as const;

describe('catalogueFromDiscovery', () => {
  it('serves each model under its own id from the server that lists it', () => {
    const { catalogue, upstreams } = catalogueFromDiscovery([{ id: 'Qwen/Qwen3-32B', contextWindowTokens: null, maxOutputTokens: null }], SERVER);
    expect(catalogue.resolve('Qwen/Qwen3-32B')).toMatchObject({
      slug: 'Qwen/Qwen3-32B', reasoning: true, reasoningAssumed: true, simulated: false, contextWindowTokens: DEFAULT_CONTEXT_WINDOW, maxOutputTokens: DEFAULT_MAX_OUTPUT,
      targets: [{ upstreamId: 'upstream', upstreamModel: 'Qwen/Qwen3-32B' }],
    });
    expect(upstreams).toMatchObject([{ id: 'upstream', kind: 'openai', baseUrl: SERVER.baseUrl, apiKey: 'secret', options: { reasoningStyle: 'off-only', timeouts: SERVER.timeouts } }]);
  });

  it.each([{ kind: 'anthropic', reasoningStyle: 'budget' }, { kind: 'responses', reasoningStyle: 'effort' }] as const)('defines an upstream of the server’s own kind and reasoning style: $kind', ({ kind, reasoningStyle }) => {
    expect(catalogueFromDiscovery([], { ...SERVER, kind, reasoningStyle } as DiscoveredServer).upstreams)
      .toMatchObject([{ kind, baseUrl: SERVER.baseUrl, options: { reasoningStyle } }]);
  });

  it.each([
    [null, 900_000, 128_000, 128_000],
    [4_096, null, 4_096, 4_096],
    [40_960, null, 40_960, 16_384],
    [40_960, 2_048, 40_960, 2_048],
    [1_024, 8_192, 1_024, 1_024],
  ])('gives a model listed with the window %j and the maximum output %j the window %d and the maximum output %d', (contextWindowTokens, maxOutputTokens, window, output) => {
    const { catalogue } = catalogueFromDiscovery([{ id: 'm', contextWindowTokens, maxOutputTokens }], SERVER);
    expect(catalogue.resolve('m')).toMatchObject({ contextWindowTokens: window, maxOutputTokens: output });
  });

  it('serves a model named x:latest as x too, unless another model is named x', () => {
    const ids = ['qwen3:latest', 'makers/m:latest', 'llama:latest', 'llama', 'gemma:4b', ':latest'];
    const { catalogue } = catalogueFromDiscovery(ids.map((id) => ({ id, contextWindowTokens: null, maxOutputTokens: null })), SERVER);
    const servedAs = (name: string): string | undefined => catalogue.resolve(name)?.targets[0]?.upstreamModel;
    expect(['qwen3', 'qwen3:latest', 'makers/m', 'llama', 'gemma', ''].map(servedAs)).toEqual(['qwen3:latest', 'qwen3:latest', 'makers/m:latest', 'llama', undefined, undefined]);
    expect(catalogue.model('qwen3:latest' as ModelSlug)?.aliases).toEqual(['qwen3']);
  });

  it('offers one model for a repeated name, and skips models with invalid names', () => {
    const ids = ['good', 'with space', 'new\nline', 'größe', 'good', 'all*', ''];
    const { catalogue } = catalogueFromDiscovery(ids.map((id) => ({ id, contextWindowTokens: null, maxOutputTokens: null })), SERVER);
    expect(catalogue.models.map(({ slug }) => slug)).toEqual(['good']);
  });
});
