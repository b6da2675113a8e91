import { Catalogue, type CatalogueContents, type CatalogueSource } from '@tollgate/core';

export class StaticCatalogue implements CatalogueSource {
  #current: Catalogue;

  constructor(contents: CatalogueContents) {
    this.#current = new Catalogue(contents);
  }

  current(): Catalogue {
    return this.#current;
  }

  replace(contents: CatalogueContents): void {
    this.#current = new Catalogue(contents);
  }
}
