import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SOURCES = ['.ts', '.tsx', '.mjs'];

/** `x.test.ts` and `x.aspect.test.ts` belong to `x.ts`. */
export function testsWithoutSource(folder: string): readonly string[] {
  const tests = globSync('{packages,apps,tools}/*/src/**/*.test.{ts,tsx}', { cwd: folder });
  return tests.filter((test) => {
    const [name = ''] = basename(test).split('.');
    return !SOURCES.some((extension) => existsSync(join(folder, dirname(test), `${name}${extension}`)));
  }).toSorted();
}
