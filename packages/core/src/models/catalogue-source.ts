import type { Catalogue } from './catalogue.js';

/** A reload replaces the catalogue between two calls. A generation is checked, routed and priced by the version of one call. */
export interface CatalogueSource {
  current(): Catalogue;
}
