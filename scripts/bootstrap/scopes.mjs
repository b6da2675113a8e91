/**
 * What a command needs installed and compiled.
 * @typedef {object} Scope
 * @property {string} words what is installed, for the reader of a first start
 * @property {(entry: { dev?: boolean }) => boolean} includes whether a package of the lockfile is part of it
 * @property {readonly string[]} options the options of npm that install it
 * @property {readonly string[]} projects the folders that the compiler builds, with their references; empty for the references of the root
 * @property {string} stamp the file that bears the time of the last build
 */

/** What compiling and running the gateway, the command line and the dashboard need. */
export const FOR_START = {
  words: 'what the gateway needs; the first test installs the rest',
  includes: (entry) => entry.dev !== true,
  options: ['--omit=dev'],
  projects: ['apps/gateway', 'apps/cli'],
  stamp: 'programs-built',
};

/** What tests and tools need, including development dependencies. */
export const FOR_TESTS = {
  words: 'what the gateway, tests and tools need',
  includes: () => true,
  // Needed if NODE_ENV is `production`.
  options: ['--include=dev'],
  projects: [],
  stamp: 'built',
};

/** The scope, and those that it contains. */
export function scopesWithin(scope) {
  return scope === FOR_TESTS ? [FOR_START, FOR_TESTS] : [scope];
}
