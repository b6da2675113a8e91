import { readFileSync } from 'node:fs';
import type { RequestHandler, Router } from 'express';
import type { TokenPage } from '@tollgate/core';
import { answer } from '../../http/middleware/answer.js';
import { watchToEnd } from '../../http/reply/flushed.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { checkBlockedNetwork, checkHost } from '../middleware/check-browser.js';

/** The same depth below the package in `src` and in `dist`. */
const FOLDER = new URL('../../../static/', import.meta.url);

const PAGES: readonly TokenPage[] = ['link', 'verify', 'reset', 'invite', 'change-email'];

/** Nothing inline, nothing from elsewhere, and no text that becomes markup or a script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'",
  "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

interface StaticFile {
  readonly path: string;
  readonly file: string;
  readonly type: string;
}

const FILES: readonly StaticFile[] = [
  ...PAGES.map((page) => ({ path: `/dashboard/${page}`, file: 'entry.html', type: 'text/html; charset=utf-8' })),
  { path: '/dashboard/entry.css', file: 'entry.css', type: 'text/css; charset=utf-8' },
  { path: '/dashboard/entry.js', file: 'entry.js', type: 'text/javascript; charset=utf-8' },
];

function serve({ path, file, type }: StaticFile, { unbilled }: DashboardPorts): RequestHandler {
  const bytes = readFileSync(new URL(file, FOLDER));
  return answer((exchange) => {
    exchange.reach(path);
    unbilled.countStranger(exchange);
    exchange.res.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': bytes.length }).end(bytes);
    watchToEnd(exchange.res, exchange.clock);
  });
}

/** The page that links in mail open, one for all of them: the token stands in the fragment, which the gateway never sees. */
export function mountEntryPages(router: Router, ports: DashboardPorts): void {
  for (const file of FILES) router.get(file.path, checkBlockedNetwork(ports), checkHost(ports.address), serve(file, ports));
}
