import type { Import } from './folder-cycles.js';

/** The name of the rule, as violations carry it. */
export const FOLDER_ORDER = 'folder-order';

/** Packages that are read from the bottom to the top: a folder imports only folders to its left, types too. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/': ['primitives', 'errors', 'money', 'models', 'limits', 'platform', 'billing', 'keys', 'accounts', 'usage', 'generation', 'ports'],
  'packages/identity/src/': ['tokens', 'cookies', 'mail', 'attempts', 'passwords', 'people', 'sessions', 'factors', 'sign-in', 'challenges', 'passkeys', 'issuer'],
};

/** The place of a file in its package's order; -1 in a folder without a place, `null` for files in no folder of it, such as the index. */
function placeOf(path: string, root: string, order: readonly string[]): number | null {
  if (!path.startsWith(root)) return null;
  const [folder = '', ...rest] = path.slice(root.length).split('/');
  return rest.length === 0 ? null : order.indexOf(folder);
}

/** The imports that lead to a folder further right, or out of or into a folder without a place. */
export function importsUpwards(imports: readonly Import[]): readonly Import[] {
  return imports.filter(({ from, to }) => Object.entries(ORDERS).some(([root, order]) => {
    const [importing, imported] = [placeOf(from, root, order), placeOf(to, root, order)];
    return importing !== null && imported !== null && (importing < imported || importing === -1 || imported === -1);
  }));
}
