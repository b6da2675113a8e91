export { EXIT_CODES, type ExitCode, type Terminal } from './program/terminal.js';
export type { Surroundings } from './program/operator-session.js';
export { runTollgate } from './program/run-tollgate.js';
