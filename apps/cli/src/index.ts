export { EXIT_CODES, type ExitCode, type Terminal } from './program/terminal.js';
export type { Surroundings } from './program/command-runtime.js';
export { runTollgate } from './run-tollgate.js';
