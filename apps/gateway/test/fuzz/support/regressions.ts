import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzedRequest } from './fuzzed-request.js';
import type { FuzzedUpstream } from './fuzzed-upstream.js';

const FOLDER = join(import.meta.dirname, '../regressions');
const NAME_LENGTH = 12;

interface KeptBytes {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
}

function keptBytes(bytes: Buffer): KeptBytes {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? { text, encoding: 'utf8' } : { text: bytes.toString('base64'), encoding: 'base64' };
}

function bytesOf({ text, encoding }: KeptBytes): Buffer {
  return Buffer.from(text, encoding);
}

/** Stores the case as a file that every later test run checks; returns the file's name. */
function keep(kind: string, content: unknown): string {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}.json`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, name), text);
  return name;
}

function kept(kind: string): readonly unknown[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json')).toSorted();
  return names.map((name): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
}

type KeptRequest = Omit<FuzzedRequest, 'body'> & { readonly body: KeptBytes };

export function keepRequest(sent: FuzzedRequest): string {
  return keep('request', { ...sent, body: keptBytes(sent.body) } satisfies KeptRequest);
}

export function keptRequests(): readonly FuzzedRequest[] {
  return (kept('request') as readonly KeptRequest[]).map((sent) => ({ ...sent, body: bytesOf(sent.body) }));
}

type KeptUpstream = Omit<FuzzedUpstream, 'writes'> & { readonly writes: readonly KeptBytes[] };

export function keepUpstream(answer: FuzzedUpstream): string {
  return keep('upstream', { ...answer, writes: answer.writes.map(keptBytes) } satisfies KeptUpstream);
}

export function keptUpstreams(): readonly FuzzedUpstream[] {
  return (kept('upstream') as readonly KeptUpstream[]).map((answer) => ({ ...answer, writes: answer.writes.map(bytesOf) }));
}
