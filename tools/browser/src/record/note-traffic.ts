import type { BrowserContext, Request, Response } from 'playwright-core';
import type { RunRecord, SecretKind } from './run-record.js';

const API = '/dashboard/api/';
/** Replies of models are streams, and hold none of what is looked for. */
const STREAMS = '/dashboard/api/playground/';
const SENT: Readonly<Record<string, SecretKind>> = { password: 'password', current_password: 'password', new_password: 'password', token: 'one-time token' };
const KEY = /^sk-/;

function fieldsOf(json: string | null): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

function noteSent(record: RunRecord, request: Request): void {
  for (const [name, value] of Object.entries(fieldsOf(request.postData()))) {
    const kind = SENT[name];
    if (kind !== undefined && typeof value === 'string') record.addSecret(kind, value);
  }
}

async function noteAnswered(record: RunRecord, response: Response): Promise<void> {
  for (const { name, value } of await response.headersArray()) {
    if (name.toLowerCase() === 'set-cookie') record.addSecret('session cookie', /^[^=]*=([^;]*)/.exec(value)?.[1] ?? '');
  }
  const { secret, recovery_codes: codes } = fieldsOf(await response.text());
  if (typeof secret === 'string') record.addSecret(KEY.test(secret) ? 'key' : 'authenticator secret', secret);
  if (Array.isArray(codes)) for (const code of codes) record.addSecret('recovery code', String(code));
}

/** Notes the secrets that a browser sends and is sent, and the addresses that it asks for. Resolves, when called, once all that came is noted. */
export function noteTraffic(record: RunRecord, context: BrowserContext): () => Promise<void> {
  const running = new Set<Promise<void>>();
  context.on('request', (request) => {
    // Servers see no fragment; what stays in the address of a page is noted there.
    record.addTrace({ place: 'address', name: 'requested', text: request.url().replace(/#.*$/s, '') });
    record.addTrace({ place: 'address', name: 'referrer', text: request.headers()['referer'] ?? '' });
    if (request.method() !== 'GET' && request.url().includes(API)) noteSent(record, request);
  });
  context.on('response', (response) => {
    const url = response.url();
    if (response.request().method() === 'GET' || !url.includes(API) || url.includes(STREAMS)) return;
    // The answer to a page that is closed meanwhile cannot be read.
    const noted = noteAnswered(record, response).catch(() => undefined).finally(() => running.delete(noted));
    running.add(noted);
  });
  return async () => void await Promise.all(running);
}
