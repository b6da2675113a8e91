import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json; every other path here is built on it. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const nodeModules = join(root, 'node_modules');

const windows = process.platform === 'win32';

/** The Node release the project is pinned to, which npm puts beside the other dependencies. */
export const pinnedNode = join(nodeModules, 'node', 'bin', windows ? 'node.exe' : 'node');

/** Command line programs as the files Node runs, which spares the shell wrappers that differ between systems. */
export const programs = {
  tsc: join(nodeModules, 'typescript', 'bin', 'tsc'),
  jest: join(nodeModules, 'jest', 'bin', 'jest.js'),
  vite: join(nodeModules, 'vite', 'bin', 'vite.js'),
  oxlint: join(nodeModules, 'oxlint', 'bin', 'oxlint'),
};
