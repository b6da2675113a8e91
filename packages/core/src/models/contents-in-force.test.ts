import { describe, expect, it } from '@jest/globals';
import { aModel, aPrice } from '@tollgate/testkit';
import { GatewayError } from '../errors/gateway-error.js';
import { parsePriceFactor, parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug, PriceListId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { Catalogue, type CatalogueContents, type Model } from './catalogue.js';
import { permitModel } from './model-access.js';
import { sunsetOf } from './model-shutdown.js';
import { PAY_AS_YOU_GO_PLAN, STANDARD_PLANS } from './plan.js';

const END = instant(Date.UTC(2027, 2, 1));
const BEFORE = instant(END - 1);
const PARTNERS = 'partners' as PriceListId;

function slug(name: string): ModelSlug {
  return name as ModelSlug;
}

function catalogue(models: readonly Model[], contents: Partial<CatalogueContents> = {}): Catalogue {
  return new Catalogue({ models, plans: STANDARD_PLANS, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO, ...contents });
}

function ending(name: string, successor: string | null, forwards: boolean, differences: Partial<Model> = {}): Model {
  return aModel({ slug: slug(name), shutdown: { at: END, successor: successor === null ? null : slug(successor), forwards }, ...differences });
}

const ALL = { plan: PAY_AS_YOU_GO_PLAN, keyModels: null };

describe('the catalogue in force', () => {
  it('is the catalogue itself if it has neither dated changes nor the requested price list', () => {
    const plain = catalogue([aModel()]);
    expect(plain.inForce(null, END)).toBe(plain);
    expect(plain.inForce('unknown' as PriceListId, END)).toBe(plain);
  });

  it('is computed once for each price list and each period between dated changes', () => {
    const dated = catalogue([aModel({ laterPrices: [{ from: END, price: aPrice('9', '9', '9', '9') }] })], {
      priceLists: [{ id: PARTNERS, name: 'Partners', entries: [{ from: null, factor: parsePriceFactor('0.5'), rates: new Map() }] }],
    });
    const views = [null, PARTNERS].flatMap((list) => [instant(0), BEFORE, END, instant(END + 1)].map((at) => dated.inForce(list, at)));
    expect(views.map((view) => views.indexOf(view))).toEqual([0, 0, 2, 2, 4, 4, 6, 6]);
    expect(views.map((view) => view.resolve('small')?.price.promptToken)).toEqual(['1', '1', '9', '9', '0.5', '0.5', '4.5', '4.5']);
    expect(views.map((view) => view.resolve('small')?.nextPrice?.price.promptToken)).toEqual(['9', '9', undefined, undefined, '4.5', '4.5', undefined, undefined]);
  });
});

describe('a model that is shut down', () => {
  const models = [ending('old', 'new', false, { aliases: ['former', 'old-*'] }), aModel({ slug: slug('new'), aliases: ['*'] })];

  it('is served until the instant of its shutdown', () => {
    expect(permitModel('old', catalogue(models).inForce(null, BEFORE), ALL).slug).toBe('old');
  });

  it.each(['old', 'former', 'old-2'])('is refused under the name %s, with the name of its successor, whatever patterns match', (name) => {
    const after = catalogue(models).inForce(null, END);
    expect(() => permitModel(name, after, ALL)).toThrow(new GatewayError('model_not_found', 'The model old was shut down on 2027-03-01. Use new instead.'));
    expect(after.models.map((model) => model.slug)).toEqual(['new']);
    expect(after.model(slug('old'))).toBeNull();
  });

  it('is refused even if the client appends a suffix to its name', () => {
    const after = catalogue([ending('old', 'new', false), aModel({ slug: slug('new') })]).inForce(null, END);
    expect(() => permitModel('old[1m]', after, ALL)).toThrow('Use new instead.');
  });

  it('is refused if it has no successor, even if it was the only model', () => {
    const after = catalogue([ending('old', null, false)]).inForce(null, END);
    expect(() => permitModel('old', after, ALL)).toThrow('The model old was shut down on 2027-03-01.');
  });

  it('is served by its successor under all of its names, if the catalogue forwards them', () => {
    const after = catalogue([ending('old', 'new', true, { aliases: ['old-*'] }), aModel({ slug: slug('new') }), aModel({ slug: slug('old-new'), aliases: ['x-*'] })]).inForce(null, END);
    expect(['old', 'old-2', 'old-new'].map((name) => after.resolve(name)?.slug)).toEqual(['new', 'new', 'old-new']);
    expect(after.resolve('new')?.aliases).toEqual(['old', 'old-*']);
  });

  it('is served by the first successor that is not shut down, and refused if one before it does not forward', () => {
    const last = aModel({ slug: slug('third') });
    expect(catalogue([ending('first', 'second', true), ending('second', 'third', true), last]).inForce(null, END).resolve('first')?.slug).toBe('third');
    const broken = catalogue([ending('first', 'second', true), ending('second', 'third', false), last]).inForce(null, END);
    expect(broken.resolve('first')).toBeNull();
    expect(broken.retired('first')?.slug).toBe('first');
  });

  it('is no longer found as the fallback of another model', () => {
    const after = catalogue([aModel({ fallbacks: [slug('old')] }), ending('old', null, false)]).inForce(null, END);
    expect(after.model(slug('old'))).toBeNull();
  });

  it('states the time of its shutdown from 60 days before it', () => {
    const [old] = models;
    const days = (count: number) => instant(END - count * 86_400_000);
    expect([61, 60, 0].map((count) => sunsetOf(old as Model, days(count)))).toEqual([null, END, END]);
    expect(sunsetOf(aModel(), END)).toBeNull();
  });
});
