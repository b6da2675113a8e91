import type { Import } from './folder-cycles.js';

/** Name of the rule in reports of violations. */
export const FOLDER_ORDER = 'folder-order';

/** Folders in the order of their imports: a folder imports only folders to its left, even for types. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  'packages/core/src/': ['primitives', 'errors', 'money', 'models', 'limits', 'platform', 'billing', 'credits', 'keys', 'accounts', 'events', 'payments', 'vouchers', 'usage', 'statements', 'generation', 'ports'],
  'packages/identity/src/': ['tokens', 'cookies', 'mail', 'attempts', 'passwords', 'people', 'sessions', 'factors', 'sign-in', 'challenges', 'passkeys', 'issuer', 'machines', 'webhooks', 'alerts', 'notices'],
};

/** Position of a path's folder in the order: -1 for an unlisted folder, `null` at the root. */
function placeOf(path: string, root: string, order: readonly string[]): number | null {
  if (!path.startsWith(root)) return null;
  const [folder = '', ...rest] = path.slice(root.length).split('/');
  return rest.length === 0 ? null : order.indexOf(folder);
}

/** Imports of a folder that is later in the order, and imports between a folder in the order and one that is missing from it. */
export function importsUpwards(imports: readonly Import[]): readonly Import[] {
  return imports.filter(({ from, to }) => Object.entries(ORDERS).some(([root, order]) => {
    const [importing, imported] = [placeOf(from, root, order), placeOf(to, root, order)];
    return importing !== null && imported !== null && (importing < imported || importing === -1 || imported === -1);
  }));
}
