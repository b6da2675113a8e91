import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { TestBrowser } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let browser: TestBrowser;

beforeAll(async () => {
  running = await startTestGateway();
  browser = new TestBrowser(running.gateway);
});
afterAll(() => running.close());

const PAGES = ['link', 'verify', 'reset', 'invite', 'change-email'];

describe.each(PAGES)('/dashboard/%s', (page) => {
  const get = (headers: Readonly<Record<string, string>> = {}) => browser.send({ method: 'GET', path: `/dashboard/${page}`, headers });

  it('is one page for all links, that no cache keeps, no other site frames or learns of, and that runs nothing but its own script', async () => {
    const { status, headers, text } = await get();
    expect([status, headers['content-type'], headers['cache-control'], headers['referrer-policy'], headers['x-frame-options'], headers['x-content-type-options']])
      .toEqual([200, 'text/html; charset=utf-8', 'no-store', 'no-referrer', 'DENY', 'nosniff']);
    const policy = String(headers['content-security-policy']);
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"]) {
      expect(policy.split('; ')).toContain(directive);
    }
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).not.toMatch(/<style|<script(?! src="\/dashboard\/)|\son\w+=|style="|https?:/);
  });

  it('loads what its document names, and nothing from elsewhere', async () => {
    const named = [...(await get()).text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(named.toSorted()).toEqual(['/dashboard/entry.css', '/dashboard/entry.js']);
    const replies = await Promise.all(named.map((path) => browser.send({ method: 'GET', path })));
    expect(replies.map(({ status, headers }) => [status, headers['content-type'], headers['cache-control']])).toEqual([
      [200, 'text/css; charset=utf-8', 'no-store'], [200, 'text/javascript; charset=utf-8', 'no-store'],
    ]);
    expect(replies[1]?.text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });

  it('is served under the dashboard’s names alone, and to no blocked network', async () => {
    expect((await get({ host: 'evil.example' })).status).toBe(421);
    running.parts.platform.blockedAddresses.add('127.0.0.1');
    expect((await get()).body.error?.code).toBe('ip_blocked');
    running.parts.platform.blockedAddresses.clear();
  });
});

it('serves no other file', async () => {
  for (const path of ['/dashboard/entry.html', '/dashboard/package.json', '/dashboard/..%2fpackage.json', '/dashboard/verify/entry.js']) {
    expect((await browser.send({ method: 'GET', path })).status).toBe(404);
  }
});
