import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', ...(import.meta.dirname.endsWith('/lockfile') ? ['..'] : []));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Manifests of what the compiler builds; the dashboard is built by Vite, which needs no types. */
const MANIFESTS = ['package.json', ...globSync(['packages/*/package.json', 'apps/{cli,gateway}/package.json'], { cwd: ROOT })]
  .map((path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest);

/** Needed because `npm start` compiles the sources without development dependencies. */
it('an install for a start includes the types of every package that sources use', () => {
  const used = new Set(MANIFESTS.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
  const onlyForTests = MANIFESTS.flatMap(({ devDependencies = {} }) => Object.keys(devDependencies)).filter((name) => name.startsWith('@types/'));
  expect(onlyForTests.filter((name) => used.has(name.replace('@types/', '')) && !used.has(name))).toEqual([]);
});
