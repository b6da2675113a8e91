import type { Rolldown } from 'vite';

type Output = Rolldown.OutputOptions;
type Groups = NonNullable<Exclude<Output['codeSplitting'], boolean | undefined>['groups']>;

const OPERATOR = /[\\/]src[\\/](?:pages[\\/]operator[\\/]|shell[\\/]operator-|texts[\\/]\w+[\\/](?:operator-accounts|operator-overview|operator-payments|live|upstreams|incidents|blocklists|machines|vouchers|price-lists|books|audit|mail)\.)/;
const OVERVIEW = /[\\/]src[\\/]pages[\\/]overview[\\/]overview-page\./;
const ENTRY = /[\\/]src[\\/]pages[\\/]entry[\\/]/;
/** Bytes before minification. Smaller chunks are merged with those of the most similar use. */
const SMALLEST_PART = 7_000;

/**
 * Modules per chunk. By default, the bundler makes a chunk, and so a request, for each set of pages that share modules: 41 for Overview. The modules
 * that pages of operators share have a chunk of their own, because owners do not load them; so have the pages for signing in. The first page of
 * owners has one chunk with all that it needs, because a chunk shared with other pages would load parts of these pages too.
 */
const groups: Groups = [
  { name: 'base', tags: ['$initial'], priority: 50 },
  { name: 'overview', test: OVERVIEW, priority: 40 },
  { name: 'operator', test: OPERATOR, minShareCount: 2, priority: 30, includeDependenciesRecursively: false },
  { name: 'entry', test: ENTRY, priority: 30, includeDependenciesRecursively: false },
  { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SMALLEST_PART, priority: 10 },
];

/** Needed because the bundler names a chunk after all pages that use it. */
function shortName(name: string): string {
  return name.split('~')[0] ?? name;
}

export const chunks: Output = {
  codeSplitting: { groups },
  // Groups without their dependencies may import each other. Without this option, a module could run before its dependency.
  strictExecutionOrder: true,
  chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
  assetFileNames: ({ names: [name = 'file'] }) => `assets/${shortName(name)}${name.includes('~') ? '.css' : ''}`.replace(/(\.\w+)$/, '-[hash]$1'),
};
