import type { Rolldown } from 'vite';

type Output = Rolldown.OutputOptions;
type Groups = NonNullable<Exclude<Output['codeSplitting'], boolean | undefined>['groups']>;

const OPERATOR = /[\\/]src[\\/](?:pages[\\/]operator[\\/]|texts[\\/]en[\\/](?:operator-accounts|live|upstreams|incidents|blocklists|books|audit|mail)\.)/;
const ENTRY = /[\\/]src[\\/]pages[\\/]entry[\\/]/;
/** Bytes before minification: smaller ones are joined with those that are used most alike. */
const SMALLEST_PART = 8_000;

/**
 * Which modules are one file. By itself the builder makes a file, and so a request, for each set of pages that share a module: 41 for Overview.
 * Owners load no module of operators' pages, so these are apart. The chart, which has its library for itself, stays a file by itself.
 */
const groups: Groups = [
  { name: 'base', tags: ['$initial'], priority: 50 },
  { name: 'operator', test: OPERATOR, minShareCount: 2, priority: 30, includeDependenciesRecursively: false },
  { name: 'entry', test: ENTRY, priority: 30, includeDependenciesRecursively: false },
  { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SMALLEST_PART, priority: 10 },
];

/** The builder names a part after all pages that use it. */
function shortName(name: string): string {
  return name.split('~')[0] ?? name;
}

/** How the pages are cut into files. */
export const chunks: Output = {
  codeSplitting: { groups },
  // Groups without their dependencies may import each other: without this, a module could run before one that it uses.
  strictExecutionOrder: true,
  chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
  assetFileNames: ({ names: [name = 'file'] }) => `assets/${shortName(name)}${name.includes('~') ? '.css' : ''}`.replace(/(\.\w+)$/, '-[hash]$1'),
};
