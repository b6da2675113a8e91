import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesIn } from '../world/mail.js';
import type { RunRecord } from './run-record.js';

/** A gateway, as it is looked at from outside. */
interface LoggingGateway {
  /** The lines of its log. */
  readonly log: readonly string[];
  /** What it works in. */
  readonly folder: string;
}

const TOKEN = /#token=([A-Za-z0-9_-]+)/g;
/** A sentence: a link's secret is its token, and an address alone is no message. */
const SENTENCE = /^\S+ .{20}/;
/** What Node.js and the system write when a process ends by a failure. */
const CRASH_REPORT = /^report\..*\.json$|^core(?:\.\d+)?$|\.(?:dmp|heapsnapshot)$/;

function noteMail(record: RunRecord, folder: string): void {
  for (const message of messagesIn(folder)) {
    for (const [, token = ''] of message.matchAll(TOKEN)) record.addSecret('one-time token', token);
    const sentences = message.slice(message.indexOf('\r\n\r\n')).split('\r\n').filter((line) => SENTENCE.test(line));
    for (const sentence of sentences) record.addSecret('mail body', sentence);
  }
}

/** The crash reports in a folder. */
export function noteCrashReports(record: RunRecord, folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (CRASH_REPORT.test(name)) record.addTrace({ place: 'crash report', name, text: readFileSync(join(folder, name)) });
  }
}

/** Notes the log of the gateway of this name, the mail that it wrote, and its crash reports. */
export function noteGateway(record: RunRecord, name: string, { log, folder }: LoggingGateway): void {
  record.addTrace({ place: 'log', name, text: log.join('') });
  noteMail(record, folder);
  noteCrashReports(record, folder);
}
