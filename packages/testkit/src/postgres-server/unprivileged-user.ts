import { execFileSync } from 'node:child_process';

/** Who the server runs as; empty for whoever runs the tests. */
export interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root, so there it runs as `nobody`. */
export function unprivilegedUser(): ProcessUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
