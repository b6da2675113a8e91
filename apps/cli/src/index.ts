export { EXIT_CODES, type ExitCode } from './program/report.js';
export type { Surroundings } from './program/operator-session.js';
export { runTollgate } from './program/run-tollgate.js';
export type { Terminal } from './program/terminal.js';
