import { statSync } from 'node:fs';
import { types } from 'node:util';
import type { Catalogue, CatalogueSource, Clock, UpstreamDefinition } from '@tollgate/core';
import { readTextFile } from '../settings/text-file.js';
import { decodeCatalogue } from './decode-catalogue.js';
import type { CatalogueProblem } from './catalogue-problem.js';
import type { CatalogueContext, CatalogueReading, LoadedCatalogue } from './loaded-catalogue.js';

export type CatalogueReload =
  | { readonly outcome: 'replaced'; readonly loaded: LoadedCatalogue }
  | { readonly outcome: 'rejected'; readonly problems: readonly CatalogueProblem[] };

/** A catalogue from a file. If a reload finds the file invalid, the current catalogue stays in force. */
export class CatalogueFile implements CatalogueSource {
  #loaded: LoadedCatalogue;
  #version: string;

  private constructor(readonly path: string, private readonly context: CatalogueContext, loaded: LoadedCatalogue) {
    this.#loaded = loaded;
    this.#version = versionOf(path);
  }

  static open(path: string, context: CatalogueContext): { readonly file: CatalogueFile } | { readonly problems: readonly CatalogueProblem[] } {
    const reading = readFile(path, context);
    return 'problems' in reading ? reading : { file: new CatalogueFile(path, context, reading.loaded) };
  }

  current(): Catalogue {
    return this.#loaded.catalogue;
  }

  get upstreams(): readonly UpstreamDefinition[] {
    return this.#loaded.upstreams;
  }

  /** Reads the file even if it is unchanged. */
  reload(): CatalogueReload {
    this.#version = versionOf(this.path);
    const reading = readFile(this.path, this.context);
    if ('problems' in reading) return { outcome: 'rejected', problems: reading.problems };
    this.#loaded = reading.loaded;
    return { outcome: 'replaced', loaded: reading.loaded };
  }

  /** Polls the file, reloads it after a change and reports each reload. Returns a function that stops the polling. */
  watch(clock: Clock, everyMilliseconds: number, report: (reload: CatalogueReload) => void): () => void {
    let cancel = (): void => undefined;
    const look = (): void => {
      if (versionOf(this.path) !== this.#version) report(this.reload());
      cancel = clock.schedule(everyMilliseconds, look);
    };
    cancel = clock.schedule(everyMilliseconds, look);
    return () => cancel();
  }
}

const MISSING = 'missing';

/** Changes when the file is written or replaced. A missing file, as during a replacement, is a version too. */
function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? MISSING : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

function readFile(path: string, context: CatalogueContext): CatalogueReading {
  try {
    return decodeCatalogue(readTextFile(path), context);
  } catch (error) {
    return { problems: [{ line: null, path: '', message: `cannot be read: ${reasonOf(error)}` }] };
  }
}

function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  return 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : error.message;
}
