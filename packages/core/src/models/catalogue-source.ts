import type { Catalogue } from './catalogue.js';

/** A request reads the catalogue once and keeps that version. */
export interface CatalogueSource {
  current(): Catalogue;
}
