import { type CatalogueContents, type ModelSlug, parseTokenRate, ServiceTokens } from '@tollgate/core';
import { aModel, catalogueSourceContract } from '@tollgate/testkit';
import { StaticCatalogue } from './static-catalogue.js';

function contentsOf(model: string): CatalogueContents {
  return { models: [aModel({ slug: model as ModelSlug })], plans: [], usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO };
}

catalogueSourceContract('static', (model) => {
  const source = new StaticCatalogue(contentsOf(model));
  return { source, replace: (next) => source.replace(contentsOf(next)) };
});
