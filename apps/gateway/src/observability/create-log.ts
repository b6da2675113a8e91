import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const STANDARD_ERROR = 2;
/** Lines wait for each other until there are this many bytes, or for this long: a write for every line would cost more than the line. */
const WRITTEN_TOGETHER_BYTES = 4096;
const LONGEST_WAIT_MILLISECONDS = 200;

function standardError(): DestinationStream {
  return destination({ fd: STANDARD_ERROR, sync: false, minLength: WRITTEN_TOGETHER_BYTES, periodicFlush: LONGEST_WAIT_MILLISECONDS });
}

/** The process log: JSON lines on standard error, so that standard output stays for the operator. What waits is written when the process ends. */
export function createLog(level: LogLevel, stream: DestinationStream = standardError()): Logger {
  return pino({ level, base: null }, stream);
}
