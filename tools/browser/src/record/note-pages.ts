import { readFileSync } from 'node:fs';
import type { BrowserContext, Download, Page, Request, Response } from 'playwright-core';
import type { TracePlace, RunRecord, SecretKind } from './run-record.js';

const LINK = /#token=/;

function keptByPage(page: Page): Promise<Partial<Record<TracePlace, string>>> {
  return page.evaluate(async () => {
    const whole = <Value>(request: IDBRequest<Value>): Promise<Value> => new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('unreadable')));
    });
    const databases = (await indexedDB.databases()).map(async ({ name = '' }) => {
      const database = await whole(indexedDB.open(name));
      const stores = [...database.objectStoreNames].map(async (store) => [store, await whole(database.transaction(store).objectStore(store).getAll())]);
      const kept = [name, await Promise.all(stores)];
      database.close();
      return kept;
    });
    const cached = (await caches.keys()).map(async (name) => {
      const cache = await caches.open(name);
      return [name, await Promise.all((await cache.matchAll()).map(async (response) => [response.url, await response.text()])), (await cache.keys()).map(({ url }) => url)];
    });
    return {
      'cookie': document.cookie, 'localStorage': JSON.stringify(Object.entries(localStorage)), 'sessionStorage': JSON.stringify(Object.entries(sessionStorage)),
      'IndexedDB': JSON.stringify(await Promise.all(databases)), 'Cache': JSON.stringify(await Promise.all(cached)), 'history state': JSON.stringify([history.state, window.name]),
    };
  });
}

/** Addresses in the history of a page. */
async function addressesOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  return entries.map(({ url }) => url);
}

async function notePage(record: RunRecord, page: Page): Promise<void> {
  if (page.isClosed() || !page.url().startsWith('http')) return;
  for (const [place, text] of Object.entries(await keptByPage(page))) record.addTrace({ place: place as TracePlace, name: 'a page', text });
  for (const text of await addressesOf(page)) record.addTrace({ place: 'address', name: 'history', text });
}

/**
 * Records the addresses that the page opens. Those of mailed links are left out: they contain a token, which the page removes before its first
 * request.
 */
function noteAddresses(record: RunRecord, page: Page): void {
  page.on('framenavigated', (frame) => {
    if (!LINK.test(frame.url())) record.addTrace({ place: 'address', name: 'opened', text: frame.url() });
  });
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') record.addTrace({ place: 'address', name: 'open while the page asks', text: page.url() });
  });
}

async function noteDownload(record: RunRecord, download: Download): Promise<void> {
  const name = download.suggestedFilename();
  record.addTrace({ place: 'address', name: 'downloaded', text: download.url() });
  // A download that was cancelled has no file.
  const path = await download.path().catch(() => null);
  if (path !== null) record.addTrace({ place: 'download', name, text: readFileSync(path) });
}

/** Records addresses, console messages and downloads of all pages. The returned function records what is in their storages. */
export function notePages(record: RunRecord, context: BrowserContext): () => Promise<void> {
  const downloads: Promise<void>[] = [];
  context.on('weberror', (error) => record.addTrace({ place: 'console', name: 'an error', text: String(error.error().stack) }));
  context.on('page', (page) => {
    noteAddresses(record, page);
    page.on('console', (message) => record.addTrace({ place: 'console', name: 'a page', text: message.text() }));
    page.on('download', (download) => void downloads.push(noteDownload(record, download)));
  });
  return async () => {
    await Promise.all(downloads);
    for (const page of context.pages()) await notePage(record, page);
    for (const { value } of await context.cookies()) record.addSecret('session cookie', value);
  };
}

const API = '/dashboard/api/';
/** Path of the replies that are not searched for secrets, because a model's stream has none that the record knows. */
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

/** Records secrets in requests and replies, and the requested addresses. The returned function resolves when all are recorded. */
export function noteTraffic(record: RunRecord, context: BrowserContext): () => Promise<void> {
  const running = new Set<Promise<void>>();
  context.on('request', (request) => {
    // The fragment is removed, because servers do not receive it; the address of the page is recorded separately.
    record.addTrace({ place: 'address', name: 'requested', text: request.url().replace(/#.*$/s, '') });
    record.addTrace({ place: 'address', name: 'referrer', text: request.headers()['referer'] ?? '' });
    if (request.method() !== 'GET' && request.url().includes(API)) noteSent(record, request);
  });
  context.on('response', (response) => {
    const url = response.url();
    if (response.request().method() === 'GET' || !url.includes(API) || url.includes(STREAMS)) return;
    // If the page is closed, the body of the reply cannot be read.
    const noted = noteAnswered(record, response).catch(() => undefined).finally(() => running.delete(noted));
    running.add(noted);
  });
  return async () => void await Promise.all(running);
}
