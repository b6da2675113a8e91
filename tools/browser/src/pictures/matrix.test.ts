import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type Condition, CONDITIONS } from './conditions.js';
import { statesIn } from './matrix.js';
import { pictureName, picturesOf } from './state.js';

const ROUTER = join(import.meta.dirname, '../../../../apps/dashboard/src/router.tsx');

/** Paths of all pages in the router, except those that only redirect. */
function routes(): readonly string[] {
  const lines = readFileSync(ROUTER, 'utf8').split('\n').filter((line) => line.includes('component: lazyRouteComponent'));
  return lines.flatMap((line) => {
    const [, path] = /path: '(?<path>[^']+)'/.exec(line) ?? [];
    return path === undefined ? [] : [line.includes('...operatorPage') ? `/operator${path}` : path];
  });
}

it('every page of the dashboard has a picture', () => {
  const paths = statesIn(CONDITIONS).map(({ path }) => path.split('?')[0] ?? '');
  const isSeen = (route: string): boolean => paths.some((path) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path));
  expect(routes().length).toBeGreaterThan(40);
  expect(routes().filter((route) => !isSeen(route))).toEqual([]);
});

it('every picture has a different name', () => {
  const names = picturesOf(statesIn(CONDITIONS)).map(pictureName);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('every state of data has pictures of owners’ and of operators’ pages', () => {
  const viewers = (condition: Condition): ReadonlySet<string> => new Set(statesIn([condition]).map(({ viewer }) => viewer));
  expect(CONDITIONS.filter((condition) => !viewers(condition).has('owner') || !viewers(condition).has('operator'))).toEqual([]);
});

it('pictures that change data are taken after all others', () => {
  const changes = statesIn(CONDITIONS).map((state) => state.changes === true);
  expect(changes.slice(changes.indexOf(true))).not.toContain(false);
  expect(changes).toContain(true);
});
