import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesIn } from './delivered-mail.js';

/** Kinds of credentials, and messages to a person. */
export const SECRET_KINDS = ['key', 'password', 'one-time token', 'authenticator secret', 'recovery code', 'session cookie', 'mail body'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** Places in which no secret may remain. */
export const TRACE_PLACES = ['log', 'address', 'console', 'cookie', 'localStorage', 'sessionStorage', 'IndexedDB', 'Cache', 'history state', 'download', 'crash report'] as const;
export type TracePlace = (typeof TRACE_PLACES)[number];

export interface Trace {
  readonly place: TracePlace;
  /** Name of the source, for reports. */
  readonly name: string;
  readonly text: string | Buffer;
}

/** Minimum length of a secret; a shorter text may occur by chance. */
const SHORTEST = 8;

/** Secrets of a run, and texts from places in which no secret may remain. Duplicates are stored once. */
export class RunRecord {
  readonly #secrets = new Map<SecretKind, Set<string>>();
  readonly #traces = new Map<string, Trace>();

  addSecret(kind: SecretKind, secret: string): void {
    if (secret.length < SHORTEST) return;
    const known = this.#secrets.get(kind) ?? new Set();
    this.#secrets.set(kind, known.add(secret));
  }

  secrets(kind: SecretKind): ReadonlySet<string> {
    return this.#secrets.get(kind) ?? new Set();
  }

  addTrace(trace: Trace): void {
    const { place, name, text } = trace;
    this.#traces.set(`${place}\n${name}\n${typeof text === 'string' ? text : this.#traces.size}`, trace);
  }

  get traces(): readonly Trace[] {
    return [...this.#traces.values()];
  }
}

interface LoggingGateway {
  readonly log: readonly string[];
  /** Folder with the files of the gateway. */
  readonly folder: string;
}

const TOKEN = /#token=([A-Za-z0-9_-]+)/g;
/** Matches a line with a sentence that identifies a message, but no line of only a token or an address. */
const SENTENCE = /^\S+ .{20}/;
/** Names of files that Node.js or the system writes at a crash. */
const CRASH_REPORT = /^report\..*\.json$|^core(?:\.\d+)?$|\.(?:dmp|heapsnapshot)$/;

function noteMail(record: RunRecord, folder: string): void {
  for (const message of messagesIn(folder)) {
    for (const [, token = ''] of message.matchAll(TOKEN)) record.addSecret('one-time token', token);
    const sentences = message.slice(message.indexOf('\r\n\r\n')).split('\r\n').filter((line) => SENTENCE.test(line));
    for (const sentence of sentences) record.addSecret('mail body', sentence);
  }
}

export function noteCrashReports(record: RunRecord, folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (CRASH_REPORT.test(name)) record.addTrace({ place: 'crash report', name, text: readFileSync(join(folder, name)) });
  }
}

/** Records the log, the mail and the crash reports of a gateway. */
export function noteGateway(record: RunRecord, name: string, { log, folder }: LoggingGateway): void {
  record.addTrace({ place: 'log', name, text: log.join('') });
  noteMail(record, folder);
  noteCrashReports(record, folder);
}

const RECOVERY_CODES_FILE = 'tollgate-recovery-codes.txt';

interface Needle {
  readonly kind: SecretKind;
  readonly bytes: Buffer;
}

/** For each of the three alignments, the base64 characters that depend only on the secret. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
}

/** Forms in which a secret may appear: as it is, URL-encoded, form-encoded, in JSON and in base64. */
function spellingsOf(secret: string): ReadonlySet<string> {
  const encoded = encodeURIComponent(secret);
  return new Set([secret, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1), ...base64Of(secret)]);
}

function needlesOf(record: RunRecord): readonly Needle[] {
  return SECRET_KINDS.flatMap((kind) => [...record.secrets(kind)].flatMap((secret) => [...spellingsOf(secret)].map((spelling) => ({ kind, bytes: Buffer.from(spelling) }))));
}

function standsAt(text: Buffer, at: number, { bytes }: Needle): boolean {
  return at + bytes.length <= text.length && text.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}

/** Searches a text for many byte strings in one pass. Finds them by their first four bytes. */
class Needles {
  readonly #byStart = new Map<number, readonly Needle[]>();

  constructor(needles: readonly Needle[]) {
    for (const needle of needles) {
      const start = needle.bytes.readUInt32LE();
      this.#byStart.set(start, [...this.#byStart.get(start) ?? [], needle]);
    }
  }

  kindsIn(text: Buffer): ReadonlySet<SecretKind> {
    const found = new Set<SecretKind>();
    for (let at = 0; at + 4 <= text.length; at += 1) {
      const needles = this.#byStart.get(text.readUInt32LE(at));
      for (const { kind } of needles?.filter((needle) => standsAt(text, at, needle)) ?? []) found.add(kind);
    }
    return found;
  }
}

/** Kind and place of every secret that is found; equal ones are listed once. */
export function findSecrets(record: RunRecord): readonly string[] {
  const needles = new Needles(needlesOf(record));
  const found = record.traces.flatMap(({ place, name, text }) => {
    const kinds = [...needles.kindsIn(Buffer.from(text))].filter((kind) => !(kind === 'recovery code' && place === 'download' && name === RECOVERY_CODES_FILE));
    return kinds.map((kind) => `${kind} in ${place}: ${name}`);
  });
  return [...new Set(found)];
}
