import { describe, expect, it } from '@jest/globals';
import { aModel, refusalOf } from '@tollgate/testkit';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug, PlanId } from '../primitives/ids.js';
import { Catalogue, type Model } from './catalogue.js';
import { permitModel } from './model-access.js';
import { PAY_AS_YOU_GO, type Plan, STANDARD_PLANS } from './plan.js';

function slug(text: string): ModelSlug {
  return text as ModelSlug;
}

function catalogueOf(models: readonly Model[], plans: readonly Plan[] = STANDARD_PLANS): Catalogue {
  return new Catalogue({ models, plans, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO });
}

function plan(differences: Partial<Plan>): Plan {
  return { ...catalogueOf([]).planInForce(PAY_AS_YOU_GO), ...differences };
}

describe('the catalogue', () => {
  const catalogue = catalogueOf([
    aModel({ slug: slug('small'), aliases: ['tiny', 'large', 'vendor-*'] }),
    aModel({ slug: slug('large'), aliases: ['vendor-4', 'vendor-4-*', 'v*'] }),
    aModel({ slug: slug('any'), aliases: ['__proto__'] }),
    aModel({ slug: slug('long[1m]') }),
  ]);

  it.each([
    ['a slug', 'small', 'small'],
    ['a slug that another model has as an alias', 'large', 'large'],
    ['an alias', 'tiny', 'small'],
    ['an exact alias that a pattern matches too', 'vendor-4', 'large'],
    ['a name that matches a pattern', 'vendor-3', 'small'],
    ['a name by the longer of two matching patterns', 'vendor-4-mini', 'large'],
    ['a name by the shorter of two patterns if the longer does not match', 'vendor-5', 'small'],
    ['a name by the shortest of three patterns if no longer one matches', 'vortex', 'large'],
    ['a name by a pattern that matches an empty suffix', 'vendor-', 'small'],
    ['an alias that is a property of every object', '__proto__', 'any'],
    ['the name of a property of every object to no model', 'constructor', undefined],
    ['a slug in another letter case to no model', 'Small', undefined],
    ['a name that only contains the text of a pattern to no model', 'x-vendor-*', undefined],
    ['an empty name to no model', '', undefined],
    ['a slug with a suffix of its client', 'small[1m]', 'small'],
    ['an alias with a suffix of its client', 'tiny[fast]', 'small'],
    ['a slug that itself has a suffix', 'long[1m]', 'long[1m]'],
    ['a slug with two suffixes to no model', 'small[1m][fast]', undefined],
    ['a suffix alone to no model', '[1m]', undefined],
    ['a slug with an unopened bracket to no model', 'small1m]', undefined],
  ])('resolves %s', (_name, name, found) => {
    expect(catalogue.resolve(name)?.slug).toBe(found);
  });

  it('finds a model with `model` by its slug only, not by an alias', () => {
    expect([catalogue.model(slug('small'))?.slug, catalogue.model(slug('tiny')), catalogue.model(slug('vendor-3'))]).toEqual(['small', null, null]);
  });

  it.each<readonly [name: string, plans: readonly Plan[], id: string, found: readonly [string, number]]>([
    ['its own plan', STANDARD_PLANS, 'pro', ['pro', 300]],
    ['pay-as-you-go if its plan is gone', STANDARD_PLANS, 'long-gone', ['pay-as-you-go', 60]],
    ['the catalogue’s pay-as-you-go if its plan is gone', [plan({ limits: { ...plan({}).limits, requestsPerMinute: 5 } })], 'long-gone', ['pay-as-you-go', 5]],
    ['the standard pay-as-you-go if the catalogue has none either', [plan({ id: 'own' as PlanId })], 'long-gone', ['pay-as-you-go', 60]],
  ])('uses for an account %s', (_name, plans, id, found) => {
    const inForce = catalogueOf([], plans).planInForce(id as PlanId);
    expect([inForce.id, inForce.limits.requestsPerMinute]).toEqual(found);
  });
});

describe('the standard plans', () => {
  it('are those of the specification', () => {
    const rows = STANDARD_PLANS.map(({ name, limits }) => [
      name, limits.requestsPerMinute, limits.tokensPerMinute, limits.concurrentRequests, limits.maxContextTokens, limits.activeKeys, limits.tokensPerDay, limits.tokensPerMonth,
    ]);
    expect(rows).toEqual([
      ['Pay as you go', 60, 200_000, 4, 128_000, 5, null, null],
      ['Starter', 60, 300_000, 4, 128_000, 5, null, null],
      ['Pro', 300, 1_000_000, 10, 256_000, 20, null, null],
      ['Power', 1000, 4_000_000, 30, 256_000, 50, null, null],
      ['Business', 3000, 15_000_000, 100, 256_000, 200, null, null],
    ]);
  });
});

describe('permitting a model', () => {
  const catalogue = catalogueOf([aModel({ slug: slug('small'), aliases: ['tiny'] })]);

  it('returns the model of a slug or an alias', () => {
    expect(permitModel('tiny', catalogue, { plan: plan({}), keyModels: new Set([slug('small')]) }).slug).toBe('small');
  });

  it.each<readonly [name: string, excluded: readonly string[], ofKey: readonly string[], code: string, message: string]>([
    ['nobody', [], [], 'model_not_found', 'The requested model does not exist.'],
    ['tiny', ['small'], [], 'model_not_in_plan', 'The model small is not included in your plan.'],
    ['tiny', [], ['tiny', 'other'], 'model_not_in_key', 'This API key may not use the model small.'],
  ])('refuses %s, with %j excluded by the plan and a key for %j', (name, excluded, ...[ofKey, code, message]) => {
    const access = { plan: plan({ excludedModels: new Set(excluded.map(slug)) }), keyModels: new Set(ofKey.map(slug)) };
    expect(refusalOf(() => permitModel(name, catalogue, access))).toEqual({ code, message, param: 'model' });
  });
});
