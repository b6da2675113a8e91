import { expect, it } from '@jest/globals';
import { readBrand } from './brand.js';

it('without the meta element of a brand, the service is called Tollgate and has no links', () => {
  expect(readBrand(null)).toEqual({ name: 'Tollgate', logo: null, tokenWord: { one: 'service token', many: 'service tokens' }, support: null, imprint: null, terms: null, privacy: null });
});

it('the brand has the values that the gateway wrote into the page, and null for missing ones', () => {
  expect(readBrand('{"name":"Acme AI","tokenWord":{"one":"credit","many":"credits"},"terms":"https://acme.example/terms"}')).toEqual({ name: 'Acme AI', logo: null, tokenWord: { one: 'credit', many: 'credits' }, support: null, imprint: null, terms: 'https://acme.example/terms', privacy: null });
});
