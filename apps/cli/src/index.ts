export { EXIT_CODES, type ExitCode } from './program/exit-codes.js';
export type { Terminal } from './program/terminal.js';
export type { ProgramContext } from './program/program-settings.js';
export { runTollgate } from './run-tollgate.js';
