import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { GatheredLines } from './gathered-lines.js';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const STANDARD_ERROR = 2;
/** A write for every line would cost more than the line. */
const GATHERING = { characters: 32 * 1024, milliseconds: 200, descriptor: STANDARD_ERROR };

/** Of all logs of this process, so that one listener suffices for them. */
const gathered: GatheredLines[] = [];

function flushAll(): void {
  for (const lines of gathered) lines.flushSync();
}

function standardError(): DestinationStream {
  const lines = new GatheredLines(destination({ fd: STANDARD_ERROR, sync: false }), GATHERING);
  if (gathered.length === 0) process.once('exit', flushAll);
  gathered.push(lines);
  return lines;
}

/** The process log: JSON lines on standard error, so that standard output stays for the operator. What waits is written when the process ends. */
export function createLog(level: LogLevel, stream: DestinationStream = standardError()): Logger {
  return pino({ level, base: null }, stream);
}
