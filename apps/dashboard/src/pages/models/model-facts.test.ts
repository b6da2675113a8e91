import { describe, expect, it } from '@jest/globals';
import { changedClassesOf, codexNameOf, foundModels, type Model, readsImages } from './model-facts.js';

const model = (id: string, ...aliases: readonly string[]) => ({ id, aliases });

it.each([
  ['with this alias: yes', [model('a', 'gpt-5.5'), model('b', 'gpt-5*')], 'gpt-5.5'],
  ['with the longest matching pattern of all models: yes', [model('a', 'gpt-5*'), model('b', 'gpt-*', 'claude-*')], 'gpt-5.5'],
  ['with a shorter matching pattern than another model: no', [model('a', 'gpt-*'), model('b', 'gpt-5*')], 'a'],
  ['with a matching pattern, if another model has this name: no', [model('a', 'gpt-5*'), model('gpt-5.5')], 'a'],
  ['with other aliases: no', [model('a', 'codex-*', 'gpt-4'), model('b')], 'a'],
])('Codex uses a name that it knows, instead of the model’s id, for a model %s', (_, models, name) => {
  expect(codexNameOf(models[0] ?? model(''), models)).toBe(name);
});

describe('the list of models', () => {
  const offered = (id: string, facts: object = {}) => ({ id, display_name: id, aliases: [], owned_by: 'acme', in_plan: true, context_window: 1_000, pricing: { prompt: '1', output: '1' }, ...facts }) as unknown as Model;
  const models = [
    offered('zeta', { in_plan: false, pricing: { prompt: '0.5', output: '9' }, context_window: 9_000 }),
    offered('alpha', { display_name: 'Alpha Large', aliases: ['gpt-x'], description: 'Reads pictures of invoices.', pricing: { prompt: '10', output: '2' } }),
    offered('mid', { owned_by: 'Other Labs', pricing: { prompt: '2', output: '10' }, context_window: 5_000 }),
  ];
  const idsOf = (search: string, sort: Parameters<typeof foundModels>[1]['sort'] = 'plan') => foundModels(models, { search, sort }).map(({ id }) => id);

  it.each([['', ['alpha', 'mid', 'zeta']], [' LARGE ', ['alpha']], ['gpt-x', ['alpha']], ['invoice', ['alpha']], ['labs', ['mid']], ['nothing', []]])('can be searched by name, alias, description and provider: “%s”', (search, ids) => {
    expect(idsOf(search)).toEqual(ids);
  });

  it.each([['name', ['alpha', 'mid', 'zeta']], ['prompt', ['zeta', 'mid', 'alpha']], ['output', ['alpha', 'zeta', 'mid']], ['context', ['zeta', 'mid', 'alpha']]] as const)('is sorted by %s, comparing prices exactly', (sort, ids) => {
    expect(idsOf('', sort)).toEqual(ids);
  });
});

it('an announced price change names the token classes that it changes, in the order of the gateway', () => {
  const rates = { prompt: '1', cached_prompt: '0.1', cache_creation: '1', output: '2' };
  const pricing = { unit: 'service tokens per model token', ...rates, usd_per_service_token: '0.01' } satisfies Model['pricing'];
  const announced = (changes: Partial<typeof rates>) => {
    const next = { from: '2027-01-01T00:00:00.000Z', ...rates, ...changes } satisfies NonNullable<Model['next_price']>;
    return changedClassesOf({ pricing }, next);
  };
  expect([announced({ cached_prompt: '0.2' }), announced({ output: '3', cache_creation: '2' })]).toEqual([['cached_prompt'], ['cache_creation', 'output']]);
});

it.each([[undefined, true], [['text', 'image'], true], [['text'], false], [[], false]] as const)('a model with the input modalities %j accepts pictures: %s', (modalities, reads) => {
  expect(readsImages(modalities === undefined ? {} : { input_modalities: modalities })).toBe(reads);
});
