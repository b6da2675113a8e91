import { expect, it } from '@jest/globals';
import { readBrand } from './brand.js';

it('without a meta element the service is called Tollgate and has no links', () => {
  expect(readBrand(null)).toEqual({ name: 'Tollgate', logo: null, tokenWord: { one: 'service token', many: 'service tokens' }, support: null, imprint: null, terms: null, privacy: null });
});

it('the brand is exactly what the gateway wrote into the page', () => {
  expect(readBrand('{"name":"Acme AI","tokenWord":{"one":"credit","many":"credits"},"terms":"https://acme.example/terms"}')).toEqual({ name: 'Acme AI', logo: null, tokenWord: { one: 'credit', many: 'credits' }, support: null, imprint: null, terms: 'https://acme.example/terms', privacy: null });
});
