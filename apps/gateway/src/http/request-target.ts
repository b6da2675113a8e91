/** What clients that take a server for a proxy put before the path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** Path and query of a request target, below this server whatever the target names; `/` for one that has no path. */
export function ownTarget(target: string): string {
  const own = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  return own.startsWith('/') ? own : '/';
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** Whether a path is the root itself or lies below it. */
export function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}
