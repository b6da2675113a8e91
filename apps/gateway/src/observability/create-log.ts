import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const STANDARD_ERROR = 2;

/** The process log: JSON lines on standard error, so that standard output stays for the operator. */
export function createLog(level: LogLevel, stream: DestinationStream = destination({ fd: STANDARD_ERROR, sync: false })): Logger {
  return pino({ level, base: null }, stream);
}
