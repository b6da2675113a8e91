import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { errorCodeOf } from './error-code.js';

/** A lock that the system releases with the process that holds it. */
export interface InodeLock {
  release(): Promise<void>;
}

/**
 * Locks a file by its device and inode, under whatever name it is opened: a hard link has a log and locks of its own, so that two
 * gateways on one file would corrupt it. The lock is a Unix socket in Linux's abstract namespace, which is no file, needs no
 * rights, and goes with its process. Elsewhere there is none.
 */
export async function lockInode(file: string): Promise<InodeLock | 'taken'> {
  if (process.platform !== 'linux') return { release: () => Promise.resolve() };
  const { dev, ino } = statSync(file, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  return await listens(server, `\0tollgate-gateway-${dev}-${ino}`) ? { release: () => closed(server) } : 'taken';
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (failure) => (errorCodeOf(failure) === 'EADDRINUSE' ? resolve(false) : reject(failure)));
    server.listen({ path }, () => {
      server.unref();
      resolve(true);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
