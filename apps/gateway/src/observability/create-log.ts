import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { printableLines } from '@tollgate/core';
import { type DestinationStream, type Logger, pino } from 'pino';
import { LOG_TERMS, LogWriter } from './log-writer.js';
import { terminalLines } from './terminal-lines.js';

/** Descriptor that all logs of the process share; `null` before the first log. */
let unblocked: number | null = null;

/** Opens the pipe or terminal again, because other processes share the flags of an inherited descriptor. Works on Linux only. */
function reopened(descriptor: number): number | null {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/** A non-blocking descriptor, because writing to a pipe without a reader would block a thread, and the exit of the process. Files do not block. */
function unblockedStandardError(): number {
  unblocked ??= unblock(process.stderr.fd);
  return unblocked;
}

function unblock(descriptor: number): number {
  if (fstatSync(descriptor).isFile()) return descriptor;
  // A socket cannot be reopened; Node makes it non-blocking when `process.stderr` is first read.
  return reopened(descriptor) ?? descriptor;
}

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
/** `auto` writes text to a terminal, and JSON otherwise. */
type LogFormat = 'auto' | 'json' | 'pretty';

const WARNING = 40;

/** Headers whose values are secret. The gateway logs no headers, but the error of a library may contain them. */
const SECRET_HEADERS = ['cookie', 'set-cookie', 'authorization', 'x-api-key'] as const;
const HEADER_PLACES = ['headers', 'err.headers', 'req.headers', 'res.headers'] as const;
const REDACTED = { paths: HEADER_PLACES.flatMap((place) => SECRET_HEADERS.map((name) => `${place}["${name}"]`)), censor: '[redacted]' };

/** All writers of the process, which one listener flushes at its exit. */
const writers: LogWriter[] = [];

function flushAll(): void {
  for (const writer of writers) writer.flushSync();
}

function lossNotice(lostLines: number): string {
  return `${JSON.stringify({ level: WARNING, time: Date.now(), lostLines, msg: `${lostLines} log lines before this one could not be written` })}\n`;
}

/** Writes to standard error, and is flushed when the process ends. */
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

export const DISCARDED_LOG: DestinationStream = { write: () => undefined };

/** Writes JSON lines. */
export function createLog(level: LogLevel, stream: DestinationStream): Logger {
  return pino({ level, base: null, redact: REDACTED }, stream);
}
