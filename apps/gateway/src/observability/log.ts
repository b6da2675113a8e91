import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import {
  type CandidateFailure, type Clock, type ImplausibleUsage, type GatewayError, type GenerationObserver, type GenerationOutcome, outputTokensOf, printable,
  printableLines, promptTokensOf,
} from '@tollgate/core';
import { type DestinationStream, type Logger, pino } from 'pino';
import { UpstreamFailure } from '@tollgate/adapters-upstream';
import type { HttpExchange } from '../http/http-exchange.js';
import type { RunningExchanges } from '../http/running-exchanges.js';
import { pathOf } from '../http/request-target.js';
import { HourlyWarnings } from './hourly-warnings.js';
import { LOG_TERMS, LogWriter } from './log-writer.js';

/** What is searched for keys and addresses, so that a long text takes no time. */
const SEARCHED_CHARACTERS = 1000;
/** Longest part of a path that is logged: paths that no endpoint answers may be of any length. */
const MAXIMUM_CHARACTERS = 200;

/** What may be a key, ours or another service's, also percent-encoded. */
const KEY = /sk(?:-|%2d)(?:[\w-]|%[0-9a-f]{2}){16,}/gi;

/** A path as it may be logged, without the keys that a client put into it by mistake. */
export function loggedPath(path: string): string {
  return path.slice(0, SEARCHED_CHARACTERS).replaceAll(KEY, 'sk-[redacted]').slice(0, MAXIMUM_CHARACTERS);
}

/** Longest message, field or model name that is logged: a message may quote a name that the client wrote. */
const MAXIMUM_TEXT_CHARACTERS = 300;

/** What may be an e-mail address. The bounds keep the search linear. */
const ADDRESS = /[^\s@'"]{1,64}@[^\s@'"]{1,255}/g;

/** A text of an error or a request as it may be logged, without the keys and the addresses that it may quote. */
export function loggedText(text: string | null): string | null {
  if (text === null) return null;
  return text.slice(0, SEARCHED_CHARACTERS).replaceAll(KEY, 'sk-[redacted]').replaceAll(ADDRESS, '[address]').slice(0, MAXIMUM_TEXT_CHARACTERS);
}

/** Status that the log gives to a request whose client left before its reply began. */
const CLIENT_LEFT_STATUS = 499;

/** What the line says of an error. The figures of a limit are for the operator: no client gets them. */
function errorFacts({ message, param, exceeded }: GatewayError): Readonly<Record<string, unknown>> {
  return { message: loggedText(message), param: loggedText(param), ...(exceeded === null ? {} : { exceeded }) };
}

/** The fields of a request's one line: never a key, a body or a query. The message is the one that the client gets. */
export function requestFacts(exchange: HttpExchange, clock: Clock): Readonly<Record<string, unknown>> {
  const { req, res, caller, person, outcome, error } = exchange;
  return {
    requestId: exchange.requestId,
    method: req.method,
    path: loggedPath(pathOf(req.originalUrl)),
    status: res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS,
    code: exchange.refusal,
    ...(error === null ? {} : errorFacts(error)),
    durationMilliseconds: clock.now() - exchange.startedAt,
    clientLeft: exchange.clientLeft,
    accountId: caller?.account.id ?? person?.accountId ?? null,
    ...(person === null ? {} : { personId: person.id }),
    keyId: caller?.keyId ?? null,
    requestedModel: loggedText(exchange.requestedModel),
    model: outcome?.ending.service?.servedBy ?? null,
    endReason: outcome?.ending.reason ?? null,
    charged: outcome?.settlement.charge.amount.toString() ?? null,
  };
}

/** Writes one line for every request, when it is over. */
export class RequestLog {
  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  requestDone(exchange: HttpExchange): void {
    if (this.log.isLevelEnabled('info')) this.log.info(requestFacts(exchange, this.clock), 'request');
  }
}

interface LoggingObserverPorts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly exchanges: RunningExchanges;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Logs what went wrong behind a request, and notes on its exchange what it was charged. */
class LoggingObserver implements GenerationObserver {
  readonly #implausible: HourlyWarnings;

  constructor(private readonly ports: LoggingObserverPorts) {
    this.#implausible = new HourlyWarnings(ports.clock);
  }

  candidateFailed({ requestId, model, target, failure }: CandidateFailure): void {
    const facts = { requestId, model: model.slug, upstream: target.upstreamId, problem: messageOf(failure) };
    // Calls that an open circuit refuses are too many for a line each.
    if (failure instanceof UpstreamFailure) this.ports.log.debug(facts, 'a candidate failed to serve a request');
    else this.ports.log.warn(facts, 'a candidate failed to serve a request');
  }

  generationEnded(outcome: GenerationOutcome): void {
    this.ports.exchanges.find(outcome.facts.requestId)?.note(outcome);
  }

  usageImplausible({ requestId, model, target: { upstreamId: upstream, upstreamModel }, reported, counted }: ImplausibleUsage): void {
    const count = this.#implausible.count(JSON.stringify([upstream, upstreamModel]));
    if (count === null) return;
    const charged = { promptTokens: promptTokensOf(counted), outputTokens: outputTokensOf(counted) };
    this.ports.log.warn({ requestId, upstream, model: model.slug, upstreamModel, count, reported, charged }, 'an upstream reported implausible usage; the gateway charges its own count');
  }

  settlementFailed({ reservationId, facts, cause }: Parameters<GenerationObserver['settlementFailed']>[0]): void {
    this.ports.log.error({ requestId: facts.requestId, reservationId, err: cause }, 'a request could not be settled; its reservation remains until a retry succeeds or the sweeper ends it');
  }

  releaseFailed({ requestId, cause }: Parameters<GenerationObserver['releaseFailed']>[0]): void {
    this.ports.log.error({ requestId, err: cause }, 'a slot could not be released; it remains taken until its lease expires');
  }
}

/** Logs what went wrong behind requests and notes their outcomes on their exchanges; where metrics are on, `traffic` counts them too. */
export function generationObserver(ports: LoggingObserverPorts, traffic: GenerationObserver | null): GenerationObserver {
  const logging = new LoggingObserver(ports);
  return traffic === null ? logging : observerChain([logging, traffic]);
}

/** Tells several observers, in their order. */
function observerChain(observers: readonly GenerationObserver[]): GenerationObserver {
  return {
    candidateFailed: (failure) => observers.forEach((observer) => observer.candidateFailed(failure)),
    generationEnded: (outcome) => observers.forEach((observer) => observer.generationEnded(outcome)),
    usageImplausible: (report) => observers.forEach((observer) => observer.usageImplausible(report)),
    settlementFailed: (failure) => observers.forEach((observer) => observer.settlementFailed(failure)),
    releaseFailed: (failure) => observers.forEach((observer) => observer.releaseFailed(failure)),
  };
}

type Facts = Readonly<Record<string, unknown>>;

/** A stack has lines of its own; nothing else may begin a line. */
function shown(name: string, value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

/** The line of a request says in words what every request has, and names the rest. */
function inWords(facts: Facts): Facts {
  const { method, path, status, durationMilliseconds, clientLeft, msg, requestId, keyId, accountId, ...rest } = facts;
  if (msg !== 'request') return facts;
  const left = clientLeft === true ? ', the client disconnected' : '';
  const words = `${String(method)} ${String(path)} ${String(status)} in ${String(durationMilliseconds)} ms${left}`;
  return { ...rest, requestId, keyId, accountId, msg: words };
}

/** Converts JSON lines to readable ones. Loaded only for a terminal. */
export async function terminalLines(): Promise<(line: string) => string> {
  const { default: pretty } = await import('pino-pretty');
  const show = pretty.prettyFactory({ colorize: pretty.isColorSupported, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return (line) => show(inWords(JSON.parse(line, shown) as Facts));
}

/** One for the process. */
let unblocked: number | null = null;

/** Opens the same pipe or terminal once more, so that those who share the descriptor keep theirs as it is. Linux only. */
function reopened(descriptor: number): number | null {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/**
 * Standard error as a descriptor that answers "later" where it would block: a pipe without a reader would hold a thread of the
 * process for ever, and the end of the process with it. Files do not block.
 */
function unblockedStandardError(): number {
  unblocked ??= unblock(process.stderr.fd);
  return unblocked;
}

function unblock(descriptor: number): number {
  if (fstatSync(descriptor).isFile()) return descriptor;
  // A socket cannot be opened again; Node makes it non-blocking itself when `process.stderr` is first read.
  return reopened(descriptor) ?? descriptor;
}

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
/** `auto`: readable lines in a terminal, JSON elsewhere. */
type LogFormat = 'auto' | 'json' | 'pretty';

const WARNING = 40;

/** Headers that contain credentials. No line has headers; an error of a library may. */
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

/** Discards a log. */
export const DISCARDED_LOG: DestinationStream = { write: () => undefined };

/** The process log, one line of JSON at a time. */
export function createLog(level: LogLevel, stream: DestinationStream): Logger {
  return pino({ level, base: null, redact: REDACTED }, stream);
}
