import { describe, expect, it } from '@jest/globals';
import { aModel, refusalOf } from '@tollgate/testkit';
import { Catalogue, type ModelSlug, parseTokenRate, resolveKeyModels, ServiceTokens } from '../index.js';

const CATALOGUE = new Catalogue({
  models: [aModel({ slug: 'small' as ModelSlug, aliases: ['tiny', 'mini-*'] }), aModel({ slug: 'large' as ModelSlug })],
  plans: [],
  usdPerServiceToken: parseTokenRate('1'),
  minimumReservation: ServiceTokens.ZERO,
});

describe('the models of a key', () => {
  it.each<readonly [names: readonly string[] | null, slugs: readonly string[] | null]>([
    [null, null],
    [['small', 'large'], ['small', 'large']],
    [['tiny', 'mini-2', 'small'], ['small']],
  ])('named %j are %j', (names, slugs) => {
    expect(resolveKeyModels(names, CATALOGUE)).toEqual(slugs === null ? null : new Set(slugs));
  });

  it.each([
    [['small', 'gone'], 'There is no model gone.'],
    [[], 'A key needs at least one model.'],
  ])('named %j are refused, naming the field', (names, message) => {
    expect(refusalOf(() => resolveKeyModels(names, CATALOGUE))).toEqual({ code: 'invalid_request', message, param: 'models' });
  });
});
