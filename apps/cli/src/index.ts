export { EXIT_CODES, type ExitCode, type Terminal } from './program/terminal.js';
export type { ProgramContext } from './program/command-runtime.js';
export { runTollgate } from './run-tollgate.js';
