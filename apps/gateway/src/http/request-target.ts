/** Scheme and host of a target. Clients that take the server for a proxy send both. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** The target without scheme and host; `/` without a path. */
export function ownTarget(target: string): string {
  const own = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  return own.startsWith('/') ? own : '/';
}

/** Path of a target, without the query. */
export function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

export function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}
