import type { Catalogue } from './catalogue.js';

/** A request reads it once and keeps that version. */
export interface CatalogueSource {
  current(): Catalogue;
}
