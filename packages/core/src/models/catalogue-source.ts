import type { Catalogue } from './catalogue.js';

/** The current catalogue. A request reads it once and uses that version throughout. */
export interface CatalogueSource {
  current(): Catalogue;
}
