import type { UpstreamDefinition } from '@tollgate/core';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedUpstream } from '@tollgate/testkit';

export interface Transcript {
  readonly kind: TranscribedKind['kind'];
  readonly name: string;
  readonly bytes: Buffer;
}

export interface TranscribedKind {
  readonly kind: 'openai' | 'anthropic' | 'responses';
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
}

export const KINDS: readonly TranscribedKind[] = [
  { kind: 'openai', definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'openai', baseUrl, apiKey: null }) },
  { kind: 'anthropic', definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'anthropic', baseUrl, apiKey: null }) },
  { kind: 'responses', definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'responses', baseUrl, apiKey: null }) },
];

const ENDING = '.upstream.sse';

/** Sorted by name. */
export function transcriptsOf(kind: Transcript['kind']): readonly Transcript[] {
  const folder = join(import.meta.dirname, kind);
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING)).toSorted();
  return files.map((file) => ({ kind, name: file.slice(0, -ENDING.length), bytes: readFileSync(join(folder, file)) }));
}

/** Replaces ids by numbers in the order of their appearance, and sealed reasoning, which differs each time, by "#". */
export function withNumberedIds(stream: string): string {
  const numbers = new Map<string, number>();
  const repeatable = stream.replaceAll(/("encrypted_content":)"[^"]*"/g, '$1"#"');
  return repeatable.replaceAll(/\b(chatcmpl-|resp_|msg_|rs_|fc_|req_|call_)(\d+)(?=_\d+"|\b)/g, (id, prefix: string) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `${prefix}#${number}`;
  });
}

/** The stored stream. A run with `TRANSCRIPTS=rewrite` stores the actual one instead. */
export function expectedStream({ kind, name }: Transcript, format: string, actual: string): string {
  const path = join(import.meta.dirname, kind, `${name}.${format}.sse`);
  if (process.env['TRANSCRIPTS'] === 'rewrite') writeFileSync(path, actual);
  return readFileSync(path, 'utf8');
}

/** Cuts bytes into pieces of this length, even within characters and line ends. */
export function inPieces(bytes: Buffer, length: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, position) => bytes.subarray(position * length, (position + 1) * length));
}
