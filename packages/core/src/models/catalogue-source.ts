import type { Catalogue } from './catalogue.js';

/** A reload may replace the catalogue between two calls. A generation is checked, routed and priced by the catalogue that one call returned. */
export interface CatalogueSource {
  current(): Catalogue;
}
