import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SOURCES = ['.ts', '.tsx', '.mjs'];

/**
 * Tests that are named after no source. `x.test.ts` and `x.aspect.test.ts` must have `x.ts` in the same folder. In the folder `test` of a package,
 * they may have it in any package. In the folder `test` of a tool without `src`, `x.mjs` is in the tool's folder. Other folders `test` are exempt,
 * because they test whole programs.
 */
export function testsWithoutSource(folder: string): readonly string[] {
  return [...besideSources(folder), ...ofPackages(folder), ...ofSmallTools(folder)].toSorted();
}

/** Workspaces whose tests the rule reads. */
export function readWorkspaces(folder: string): readonly string[] {
  return globSync('{packages,apps,tools}/*/{src,test}', { cwd: folder }).map(dirname);
}

function besideSources(folder: string): readonly string[] {
  return globSync('{packages,apps,tools}/*/src/**/*.test.{ts,tsx}', { cwd: folder })
    .filter((test) => !SOURCES.some((extension) => existsSync(join(folder, dirname(test), `${nameOf(test)}${extension}`))));
}

function ofPackages(folder: string): readonly string[] {
  const sources = new Set(globSync('packages/*/src/**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }).map(nameOf));
  return globSync('packages/*/test/**/*.test.ts', { cwd: folder }).filter((test) => !sources.has(nameOf(test)));
}

function ofSmallTools(folder: string): readonly string[] {
  return globSync('tools/*/test/*.test.ts', { cwd: folder })
    .filter((test) => !existsSync(join(folder, dirname(test), '../src')) && !existsSync(join(folder, dirname(test), '..', `${nameOf(test)}.mjs`)));
}

function nameOf(file: string): string {
  return basename(file).split('.')[0] ?? '';
}
