/**
 * What a command needs installed and compiled.
 * @typedef {object} Scope
 * @property {string} words what is installed, for the reader of a first start
 * @property {(entry: { dev?: boolean }) => boolean} includes whether a package of the lockfile is part of it
 * @property {readonly string[]} options those of npm that install it
 * @property {readonly string[]} projects the folders that the compiler builds, with all that they refer to; none for those of the root
 * @property {string} stamp the file that bears the time of the last build
 */

/** For compiling and running gateway, command line and dashboard. */
export const FOR_START = {
  words: 'what the gateway needs; the first test installs the rest',
  includes: (entry) => entry.dev !== true,
  options: ['--omit=dev'],
  projects: ['apps/gateway', 'apps/cli'],
  stamp: 'programs-built',
};

/** Includes development dependencies. */
export const FOR_TESTS = {
  words: 'what the gateway, tests and tools need',
  includes: () => true,
  // Even if NODE_ENV is `production`.
  options: ['--include=dev'],
  projects: [],
  stamp: 'built',
};

/** Scopes that this one contains. */
export function scopesWithin(scope) {
  return scope === FOR_TESTS ? [FOR_START, FOR_TESTS] : [scope];
}
