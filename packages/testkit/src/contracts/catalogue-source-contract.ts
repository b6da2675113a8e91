import { afterEach, describe, expect, it } from '@jest/globals';
import type { Catalogue, CatalogueSource } from '@tollgate/core';

/** A source whose catalogue has one model. */
interface CatalogueSubject {
  readonly source: CatalogueSource;
  /** Puts a catalogue in force whose one model has this name. */
  replace(model: string): void;
  close?(): void;
}

function modelsOf({ models }: Catalogue): readonly string[] {
  return models.map(({ slug }) => slug);
}

/** The guarantees of every catalogue source: a catalogue that was read once never changes. */
export function catalogueSourceContract(name: string, make: (model: string) => CatalogueSubject): void {
  describe(`CatalogueSource contract: ${name}`, () => {
    let subject: CatalogueSubject | null = null;
    const start = (model: string): CatalogueSubject => {
      subject = make(model);
      return subject;
    };
    afterEach(() => {
      subject?.close?.();
      subject = null;
    });

    it('returns the same catalogue until it is replaced', () => {
      const { source } = start('first');
      expect(modelsOf(source.current())).toEqual(['first']);
      expect(source.current()).toBe(source.current());
    });

    it('returns the new catalogue from the next read, and leaves the earlier one unchanged', () => {
      const started = start('first');
      const before = started.source.current();
      started.replace('second');
      expect(modelsOf(started.source.current())).toEqual(['second']);
      expect(modelsOf(before)).toEqual(['first']);
    });
  });
}
