import { isatty } from 'node:tty';
import { printableLines } from '@tollgate/core';
import { type DestinationStream, type Logger, pino } from 'pino';
import { LOG_TERMS, LogWriter } from './log-writer.js';
import { terminalLines } from './terminal-lines.js';
import { unblockedStandardError } from './unblocked-descriptor.js';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
/** `auto`: readable lines in a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'json' | 'pretty';

const WARNING = 40;

/** Headers that let their reader act for somebody. No line has headers; an error of a library may. */
const SECRET_HEADERS = ['cookie', 'set-cookie', 'authorization', 'x-api-key'] as const;
const HEADER_PLACES = ['headers', 'err.headers', 'req.headers', 'res.headers'] as const;
const REDACTED = { paths: HEADER_PLACES.flatMap((place) => SECRET_HEADERS.map((name) => `${place}["${name}"]`)), censor: '[redacted]' };

/** Of all logs of this process, so that one listener suffices for them. */
const writers: LogWriter[] = [];

function flushAll(): void {
  for (const writer of writers) writer.flushSync();
}

function lossNotice(lostLines: number): string {
  return `${JSON.stringify({ level: WARNING, time: Date.now(), lostLines, msg: `${lostLines} log lines before this one could not be written` })}\n`;
}

/** Standard error as the place for log lines, so that standard output stays for the operator. What waits is written when the process ends. */
export async function standardErrorLog(format: LogFormat): Promise<LogWriter> {
  const isReadable = format === 'pretty' || (format === 'auto' && isatty(process.stderr.fd));
  const writer = new LogWriter({
    descriptor: unblockedStandardError(),
    render: isReadable ? await terminalLines() : printableLines,
    lossNotice,
    terms: LOG_TERMS,
  });
  if (writers.length === 0) process.once('exit', flushAll);
  writers.push(writer);
  return writer;
}

/** The process log, one line of JSON at a time. */
export function createLog(level: LogLevel, stream: DestinationStream): Logger {
  return pino({ level, base: null, redact: REDACTED }, stream);
}
