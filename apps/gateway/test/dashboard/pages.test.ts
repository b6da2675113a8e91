import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { TestBrowser } from '../../src/test-support/test-browser.js';

const PAGE = '<!doctype html><title>Tollgate</title>';
const GERMAN_PAGE = '<!doctype html><html lang="de"><title>Tollgate</title>';
const SCRIPT = 'export const built = true;\n';
let folder = '';
let running: TestGateway;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-pages-'));
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  for (const [name, text] of [['index.html', PAGE], ['index.de.html', GERMAN_PAGE], ['theme.js', SCRIPT], ['assets/main-Abc123.js', SCRIPT]] as const) {
    writeFileSync(join(folder, 'dist', name), text);
    writeFileSync(join(folder, 'dist', `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, 'dist', `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(folder, 'secret.txt'), 'not part of the dashboard');
  running = await startWith(join(folder, 'dist/'));
});
afterAll(async () => {
  await running.close();
  rmSync(folder, { recursive: true });
});

function startWith(pages: string): Promise<TestGateway> {
  return startTestGateway({ services: { dashboardPages: pathToFileURL(pages) } });
}

/** Sends a GET over a real socket to a host name of the dashboard. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, gateway: TestGateway = running): Promise<Response> {
  return fetch(`http://localhost:${new URL(gateway.gateway.url).port}${path}`, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
}

describe('the pages', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/keys/key_1', '/dashboard/verify', '/DASHBOARD/operator/live?tab=a', '/dashboard/models/gpt-4.1', '/dashboard/models/maker%2Fmodel-2.5'])('include the application at %s, with its content security policy', async (path) => {
    const reply = await get(path);
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control'), reply.headers.get('referrer-policy'), reply.headers.get('x-frame-options')])
      .toEqual([200, 'text/html; charset=utf-8', 'no-cache', 'no-referrer', 'DENY']);
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
      + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(await reply.text()).toBe(PAGE);
  });

  it.each([
    ['the page', '/dashboard', 200], ['a file', '/dashboard/theme.js', 200], ['a hashed file', '/dashboard/assets/main-Abc123.js', 200], ['a file that is missing', '/dashboard/assets/none.js', 404],
    ['a redirect to the dashboard', '/', 302], ['a redirect to the reference', '/docs', 302], ['the description of the API', '/openapi.json', 200], ['an answer of the dashboard', '/dashboard/api/appearance', 401],
  ])('and all other replies have a request id and forbid content sniffing: %s', async (_what, path, status) => {
    const reply = await get(path);
    const id = reply.headers.get('x-request-id');
    expect([reply.status, id, reply.headers.get('request-id'), reply.headers.get('x-content-type-options')]).toEqual([status, expect.stringMatching(/^req_/), id, 'nosniff']);
  });

  it('do not hide the API: an unknown path under /dashboard/api gets an API error', async () => {
    const reply = await get('/dashboard/api/nothing');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });

  it('accept only GET and HEAD', async () => {
    const { status, headers } = await new TestBrowser(running.gateway).send({ method: 'POST', path: '/dashboard/keys', body: '{}' });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the language of the page', () => {
  it.each([
    ['the default if neither browser nor person states a language', {}, PAGE],
    ['the browser’s first language that the dashboard offers', { 'accept-language': 'fr-FR, de-AT;q=0.8, en;q=0.5' }, GERMAN_PAGE],
    ['the default if the dashboard offers no language of the browser', { 'accept-language': 'fr-FR, fr;q=0.9' }, PAGE],
    ['the default if the browser accepts any language', { 'accept-language': '*' }, PAGE],
    ['the person’s choice rather than the browser', { 'accept-language': 'de', cookie: 'a=b; tollgate_language=en' }, PAGE],
    ['the person’s choice', { 'accept-language': 'en', cookie: 'tollgate_language=de' }, GERMAN_PAGE],
    ['the browser if the chosen language is unknown', { 'accept-language': 'de', cookie: 'tollgate_language=xx' }, GERMAN_PAGE],
    ['the browser if the choice is not the name of a language', { 'accept-language': 'de', cookie: 'tollgate_language=../secret' }, GERMAN_PAGE],
  ])('follows %s', async (_, headers, page) => {
    const reply = await get('/dashboard/keys', headers);
    expect([reply.status, reply.headers.get('vary'), await reply.text()]).toEqual([200, 'accept-encoding, accept-language, cookie', page]);
  });
});

describe('the files', () => {
  it.each([['br', 'br'], ['gzip', 'gzip'], ['gzip, deflate, br', 'br'], ['identity', null]])('are sent with the compression that the browser accepts: %s', async (accepted, encoding) => {
    const reply = await get('/dashboard/assets/main-Abc123.js', { 'accept-encoding': accepted });
    expect([reply.status, reply.headers.get('content-encoding'), reply.headers.get('vary'), reply.headers.get('content-type')])
      .toEqual([200, encoding, 'accept-encoding', 'text/javascript; charset=utf-8']);
    expect(await reply.text()).toBe(SCRIPT);
  });

  it('are cached for ever if their name has a content hash, and revalidated otherwise', async () => {
    expect((await get('/dashboard/assets/main-Abc123.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const script = await get('/dashboard/theme.js');
    expect(script.headers.get('cache-control')).toBe('no-cache');
    const again = { method: 'GET', path: '/dashboard/theme.js', headers: { 'if-modified-since': script.headers.get('last-modified') ?? '', 'accept-encoding': 'br' } };
    expect((await new TestBrowser(running.gateway).send(again)).status).toBe(304);
  });

  it.each([
    '/dashboard/missing.js', '/dashboard/assets/main-Other.js', '/dashboard/assets/main-Abc123.js.br', '/dashboard/index.html.gz', '/dashboard/..%2fsecret.txt',
    '/dashboard/%2e%2e/secret.txt', '/dashboard/assets/..%2f..%2fsecret.txt', '/dashboard/%00.js', '/dashboard/secret.txt',
  ])('include nothing outside the build: %s', async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(await reply.text()).not.toContain('not part of');
  });
});

it('a request for a build file that was removed gets a readable error, which is not cached', async () => {
  const dist = join(folder, 'rebuilt/');
  mkdirSync(dist);
  for (const name of ['index.html', 'theme.js', 'theme.js.br']) writeFileSync(join(dist, name), PAGE);
  const gateway = await startWith(dist);
  try {
    expect((await get('/dashboard', {}, gateway)).status).toBe(200);
    rmSync(join(dist, 'theme.js.br'));
    const reply = await get('/dashboard/theme.js', { 'accept-encoding': 'br' }, gateway);
    expect([reply.status, reply.headers.get('content-encoding'), reply.headers.get('cache-control')]).toEqual([500, null, 'no-store']);
    expect(await reply.json()).toMatchObject({ error: { code: 'internal_error' } });
  } finally {
    await gateway.close();
  }
});

describe('the URLs of the gateway', () => {
  it('redirect browsers from the root to the dashboard, and name the endpoints to programs', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard']);
    const program = await get('/', { accept: '*/*' });
    expect([program.status, program.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const origin = `http://localhost:${new URL(running.gateway.url).port}`;
    const body = await program.json() as { readonly endpoints: Readonly<Record<string, string>>; readonly health: Readonly<Record<string, string>> };
    expect(body).toMatchObject({ object: 'service', name: 'Tollgate', base_urls: { openai: `${origin}/v1`, anthropic: origin }, dashboard: `${origin}/dashboard` });
    for (const place of Object.values({ ...body.endpoints, ...body.health })) {
      const [method = '', path = ''] = place.split(' ');
      expect([place, (await running.fetch(path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })).status]).not.toEqual([place, 404]);
    }
    const head = await fetch(`${origin}/`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, program.headers.get('content-length')]);
    expect((await fetch(`${origin}/`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });

  it('redirect browsers from the IP address to the host name, for the dashboard only', async () => {
    const { port } = new URL(running.gateway.url);
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    const page = await at('/dashboard/keys?a=b');
    expect([page.status, page.headers.get('location')]).toEqual([302, `http://localhost:${port}/dashboard/keys?a=b`]);
    expect((await at('/dashboard/api/me')).status).toBe(421);
    expect((await at('/healthz')).status).toBe(200);
  });

  it.each(['/dashboard', '/dashboard/keys', '/dashboard/api/auth/callback/oidc'])('show a browser that opens %s under another name a page with the settings to change', async (path) => {
    const browser = new TestBrowser(running.gateway);
    const open = (host: string) => browser.send({ method: 'GET', path, headers: { host, accept: 'text/html,*/*;q=0.8' } });
    const page = await open('gate.example:8443');
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([421, 'text/html; charset=utf-8', 'no-store']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; /);
    expect(page.text).toContain('a proxy before the gateway replaces the <code>Host</code> header');
    for (const text of [`href="${running.gateway.publicUrl}/dashboard"`, 'PUBLIC_URL=https://gate.example:8443', 'DASHBOARD_HOSTS=gate.example:8443']) expect(page.text).toContain(text);
    const hostile = await open('<script>alert(1)</script>');
    expect([hostile.status, hostile.text.includes('script>')]).toEqual([421, false]);
    const program = await browser.send({ method: 'GET', path, headers: { host: 'gate.example', accept: '*/*' } });
    expect([program.status, program.body.error?.code]).toEqual([421, 'wrong_host']);
    expect(running.parts.logged.filter(({ code }) => code === 'wrong_host')).not.toEqual([]);
  });

  it('tell programs that use another name the base URLs that they can use there', async () => {
    const { body } = await new TestBrowser(running.gateway).send({ method: 'GET', path: '/', headers: { host: 'Gate.lan:8080', accept: '*/*' } });
    expect(body).toMatchObject({ base_urls: { openai: 'http://gate.lan:8080/v1', anthropic: 'http://gate.lan:8080' }, dashboard: `${running.gateway.publicUrl}/dashboard` });
    const hostile = await new TestBrowser(running.gateway).send({ method: 'GET', path: '/', headers: { host: 'a"b', accept: '*/*' } });
    expect(hostile.body).toMatchObject({ base_urls: { anthropic: running.gateway.publicUrl } });
  });

  it.each([
    ['https://gate.example', 'GATE.example', 'https://gate.example'], ['https://gate.example', 'gate.example:443', 'https://gate.example'],
    ['https://gate.example:8443', 'gate.example', 'https://gate.example:8443'], ['http://localhost', 'localhost:80', 'http://localhost'],
    ['https://[::1]:8443', '[::1]:8443', 'https://[::1]:8443'], ['https://gate.example', 'console.example:443', 'https://console.example'],
    ['https://gate.example', '[fd00::1]:8443', 'https://[fd00::1]:8443'], ['https://gate.example', '[fd00::1]', 'https://[fd00::1]:8443'],
  ])('with PUBLIC_URL %s, serve the dashboard to requests with the header “Host: %s”, and accept changes only from pages of %s', async (publicUrl, host, origin) => {
    const gateway = await startEmbeddedGateway({
      environment: { PUBLIC_URL: publicUrl, DASHBOARD_HOSTS: 'console.example, [fd00::1]:8443' }, services: { dashboardPages: pathToFileURL(join(folder, 'dist/')) },
    });
    try {
      const browser = new TestBrowser(gateway.gateway);
      const open = async (name: string) => (await browser.send({ method: 'GET', path: '/dashboard', headers: { host: name } })).status;
      expect([await open(host), await open('gate.example:1'), await open('gate.example.evil'), await open('example')]).toEqual([200, 421, 421, 421]);
      const post = async (from: string) => (await browser.send({ method: 'POST', path: '/dashboard/api/auth/sign-in', body: '{}', headers: { host, origin: from } })).body.error?.code;
      expect([await post(origin), await post('https://evil.example'), await post(`${new URL(origin).protocol}//${new URL(origin).hostname}:1`)]).toEqual(['invalid_request', 'wrong_origin', 'wrong_origin']);
    } finally {
      await gateway.close();
    }
  });

  it('serve the dashboard only under the configured host names, and not to blocked networks', async () => {
    const browser = new TestBrowser(running.gateway);
    expect((await browser.send({ method: 'GET', path: '/dashboard', headers: { host: 'evil.example' } })).status).toBe(421);
    running.parts.platform.blockedAddresses.add('127.0.0.1');
    expect((await browser.send({ method: 'GET', path: '/dashboard' })).body.error?.code).toBe('ip_blocked');
    running.parts.platform.blockedAddresses.clear();
  });
});

it('page views count as unbilled work of an address, but files with a content hash in their names do not', async () => {
  const limited = await startTestGateway({ services: { dashboardPages: pathToFileURL(join(folder, 'dist/')) }, settings: { unbilledPerMinuteAddress: 3 } });
  try {
    for (let file = 0; file < 20; file += 1) expect((await get('/dashboard/assets/main-Abc123.js', {}, limited)).status).toBe(200);
    for (let view = 0; view < 3; view += 1) expect((await get('/dashboard/keys', {}, limited)).status).toBe(200);
    expect((await get('/dashboard/keys', {}, limited)).status).toBe(429);
  } finally {
    await limited.close();
  }
});

it('a running gateway serves a new build of the dashboard', async () => {
  const built = join(folder, 'again/');
  mkdirSync(join(built, 'assets'), { recursive: true });
  const gateway = await startWith(built);
  try {
    expect((await get('/dashboard', {}, gateway)).status).toBe(503);
    for (const name of ['assets/main-One.js', 'index.html']) writeFileSync(join(built, name), SCRIPT);
    expect((await get('/dashboard/assets/main-One.js', {}, gateway)).status).toBe(200);
    for (const name of ['assets/main-Two.js', 'index.html']) writeFileSync(join(built, name), PAGE);
    utimesSync(join(built, 'index.html'), new Date(), new Date(Date.now() + 1000));
    expect((await get('/dashboard/assets/main-Two.js', {}, gateway)).status).toBe(200);
  } finally {
    await gateway.close();
  }
});

it('while the dashboard is not built, its pages name the build command, and everything else is served', async () => {
  const unbuilt = await startWith(join(folder, 'never-built/'));
  try {
    const reply = await get('/dashboard/keys', {}, unbuilt);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(await reply.text()).toContain('npm run build');
    expect((await get('/dashboard/api/me', {}, unbuilt)).status).toBe(401);
    expect((await get('/healthz', {}, unbuilt)).status).toBe(200);
  } finally {
    await unbuilt.close();
  }
});

it.each([['/dashboard', 200], ['/dashboard/theme.js', 200], ['/', 302]])('a client that requests %s too often is refused', async (path, first) => {
  const gateway = await startEmbeddedGateway({ environment: { UNBILLED_PER_MINUTE_ADDRESS: '2' }, services: { dashboardPages: pathToFileURL(join(folder, 'dist/')) } });
  try {
    const ask = async () => (await fetch(`http://localhost:${new URL(gateway.url).port}${path}`, { redirect: 'manual', headers: { accept: 'text/html' }, signal: AbortSignal.timeout(5_000) })).status;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([first, first, 429, 429]);
  } finally {
    await gateway.close();
  }
});

it('the gateway survives browsers that disconnect before a file is sent', async () => {
  const { port } = new URL(running.gateway.url);
  for (let left = 0; left < 20; left += 1) {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /dashboard/theme.js HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);
    socket.resetAndDestroy();
  }
  expect((await get('/dashboard/theme.js')).status).toBe(200);
  expect(running.parts.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
