import { describe, expect, it } from '@jest/globals';
import { builtInCatalogue } from './built-in-catalogue.js';

describe('builtInCatalogue', () => {
  const { catalogue, upstreams } = builtInCatalogue();

  it('offers only simulated models, each at an upstream that the catalogue defines', () => {
    expect(catalogue.models.length).toBeGreaterThanOrEqual(3);
    expect(catalogue.models.every(({ simulated }) => simulated)).toBe(true);
    const ids = new Set(upstreams.map(({ id }) => id));
    expect(catalogue.models.flatMap(({ targets }) => targets).every(({ upstreamId }) => ids.has(upstreamId))).toBe(true);
  });

  it.each([
    ['claude-sonnet-4-5', 'sandbox-reasoner'],
    ['claude-haiku-4-5', 'sandbox-small'],
    ['gpt-4o-mini', 'sandbox-small'],
    ['gpt-5.2', 'sandbox-reasoner'],
    ['gpt-5.5', 'sandbox-reasoner'],
    ['gpt-6.1-sol', 'sandbox-reasoner'],
    ['codex-mini-latest', 'sandbox-reasoner'],
    ['o3', 'sandbox-reasoner'],
    ['o4-mini', 'sandbox-reasoner'],
    ['sandbox-unavailable', 'sandbox-unavailable'],
  ])('resolves the name %s to the model %s', (name, slug) => {
    expect(catalogue.resolve(name)?.slug).toBe(slug);
  });

  it('offers every model that it names as a fallback', () => {
    expect(catalogue.models.flatMap(({ fallbacks }) => fallbacks).every((slug) => catalogue.model(slug) !== null)).toBe(true);
  });
});
