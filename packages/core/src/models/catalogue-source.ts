import type { Catalogue } from './catalogue.js';

/** The catalogue in force. A request reads it once and keeps to what it read. */
export interface CatalogueSource {
  current(): Catalogue;
}
