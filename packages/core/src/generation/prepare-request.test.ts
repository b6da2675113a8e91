import { describe, expect, it } from '@jest/globals';
import { aModel } from '@tollgate/testkit';
import { Catalogue } from '../models/catalogue.js';
import { PAY_AS_YOU_GO_PLAN } from '../models/plan.js';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { routeCandidates, routeModels } from './candidates.js';

function slug(text: string): ModelSlug {
  return text as ModelSlug;
}

function routed(fallbacks: readonly string[], prompt: number, ...[requested = null]: readonly (number | null)[]): readonly string[] {
  const model = aModel({ slug: slug('first'), fallbacks: fallbacks.map(slug) });
  const catalogue = new Catalogue({
    models: [
      model,
      aModel({ slug: slug('second'), aliases: ['alias'] }),
      aModel({ slug: slug('narrow'), contextWindowTokens: tokenCount(1000), maxOutputTokens: tokenCount(500) }),
      aModel({ slug: slug('narrow-reader'), contextWindowTokens: tokenCount(1000), maxOutputTokens: tokenCount(500), readsSchemas: true }),
      aModel({ slug: slug('excluded') }),
      aModel({ slug: slug('not-of-key') }),
    ],
    plans: [],
    usdPerServiceToken: parseTokenRate('1'),
    minimumReservation: ServiceTokens.ZERO,
  });
  const plan = { ...PAY_AS_YOU_GO_PLAN, excludedModels: new Set([slug('excluded')]) };
  const keyModels = new Set(['first', 'second', 'narrow', 'narrow-reader', 'excluded'].map(slug));
  const requestedOutputTokens = requested === null ? null : tokenCount(requested);
  return routeModels({ model, access: { plan, keyModels }, prompt: { tokensFor: ({ readsSchemas = false }) => tokenCount(prompt + (readsSchemas ? 100 : 0)) }, requestedOutputTokens }, catalogue).map((candidate) => candidate.slug);
}

describe('the models that may serve', () => {
  it.each<readonly [name: string, fallbacks: readonly string[], prompt: number, requested: number | null, expected: readonly string[]]>([
    ['only the requested one', [], 10, null, ['first']],
    ['the requested one, then its fallbacks in order', ['narrow', 'second'], 10, null, ['first', 'narrow', 'second']],
    ['the requested one only once', ['first', 'second'], 10, null, ['first', 'second']],
    ['no unknown model', ['gone', 'second'], 10, null, ['first', 'second']],
    ['no fallback that is named by an alias', ['alias'], 10, null, ['first']],
    ['no model outside the plan', ['excluded'], 10, null, ['first']],
    ['no model that the key does not allow', ['not-of-key', 'second'], 10, null, ['first', 'second']],
    ['a fallback with room for 256 tokens if the client set no maximum', ['narrow'], 744, null, ['first', 'narrow']],
    ['no fallback with room for fewer than 256 tokens if the client set no maximum', ['narrow'], 745, null, ['first']],
    ['a fallback with room for a schema that only it receives', ['narrow-reader'], 644, null, ['first', 'narrow-reader']],
    ['no fallback without room for a schema that only it receives', ['narrow-reader', 'narrow'], 645, null, ['first', 'narrow']],
    ['a fallback with room for the requested output', ['narrow'], 500, 5000, ['first', 'narrow']],
    ['no fallback without room for the requested output', ['narrow'], 501, 5000, ['first']],
  ])('include %s', (_name, fallbacks, ...[prompt, requested, expected]) => {
    expect(routed(fallbacks, prompt, requested)).toEqual(expected);
  });

  it('are tried at each of their targets, in order', () => {
    const targets = ['a', 'b'].map((upstreamId) => ({ upstreamId, upstreamModel: 'm' }));
    const candidates = routeCandidates([aModel({ targets }), aModel({ slug: slug('other') })]);
    expect(candidates.map(({ model, target }) => [model.slug, target.upstreamId])).toEqual([['small', 'a'], ['small', 'b'], ['other', 'upstream']]);
  });
});
