import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler, Response, Router } from 'express';
import { answer } from '../http/middleware/answer.js';
import { onlyReads } from '../http/middleware/refuse-unknown.js';
import { leaveToClient } from '../http/reply/leave-to-client.js';
import { ReaderWatch } from '../http/reply/reader-watch.js';
import { isRead } from '../http/wants-page.js';
import { ownTarget } from '../http/request-target.js';
import type { HttpExchange } from '../http/http-exchange.js';
import type { DashboardPorts } from './call/dashboard-ports.js';
import { checkBlockedNetwork } from '../http/middleware/check-platform.js';
import { type Brand, isBranded } from './brand/brand.js';
import { brandedPage, brandStyles, LOGO_PATH, STYLES_PATH } from './brand/branded-page.js';
import { checkHost } from './call/admit-visitor.js';
import { DEFAULT_LANGUAGE, languageOf } from './page-language.js';

const ROOT = '/dashboard';
/** Name of all pages in logs and metrics. */
const PAGES = '/dashboard/*';

/** Serves the paths below `/dashboard` that are not of the API: files, and the page for every view. */
export function mountPages(router: Router, ports: DashboardPorts): void {
  const files = new DashboardFiles(ports.pages);
  router.use(ROOT, redirectToName(ports), checkBlockedNetwork(ports), checkHost(ports), serveBrand(ports), servePages(files, ports));
}

interface BrandFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Serves the logo and the colours of the operator. */
function serveBrand({ brand, unbilled }: DashboardPorts): RequestHandler {
  const styles = brandStyles(brand);
  const contents = new Map<string, BrandFile>([
    ...(brand.logo === null ? [] : [[LOGO_PATH, brand.logo] as const]),
    ...(styles === null ? [] : [[STYLES_PATH, { mediaType: 'text/css', bytes: Buffer.from(styles) }] as const]),
  ]);
  const send = onlyReads(answer((exchange) => {
    const { req, res } = exchange;
    exchange.reach(PAGES);
    unbilled.countStranger(exchange);
    const content = contents.get(req.path);
    // An SVG that is opened as a page must not run scripts.
    res.set({ ...HEADERS, 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox", 'cache-control': FOR_EVER }).type(content?.mediaType ?? '').send(content?.bytes);
  }), (exchange) => unbilled.countStranger(exchange));
  return (req, res, next) => (contents.has(req.path) ? send(req, res, next) : next());
}

function servePages(files: DashboardFiles, { unbilled, brand }: DashboardPorts): RequestHandler {
  const send = onlyReads(answer(async (exchange) => {
    const { req, res } = exchange;
    exchange.reach(PAGES);
    const file = files.find(req.path, languageOf(req, files.languages), req.acceptsEncodings());
    // A first visit loads dozens of hashed files, which browsers cache. Counting them would use up the units of an office behind one
    // address.
    if (file?.isHashed !== true) unbilled.countStranger(exchange);
    if (file?.isPage === true && isBranded(brand)) await sendBrandedPage(exchange, join(files.root, file.original), brand);
    else if (file !== null) await sendFile(exchange, files, file);
    else res.status(503).type('text/plain').set('cache-control', 'no-store').send(NOT_BUILT);
  }), (exchange) => unbilled.countStranger(exchange));
  return (req, res, next) => {
    const isMissing = files.isBuilt && files.find(req.path, DEFAULT_LANGUAGE, []) === null;
    return isMissing ? next() : send(req, res, next);
  };
}

/** Redirects from a loopback address to `localhost`, because passkeys and cookies are bound to names. */
function redirectToName({ address, unbilled }: DashboardPorts): RequestHandler {
  const redirect = answer((exchange) => {
    exchange.reach(PAGES);
    unbilled.countStranger(exchange);
    exchange.res.redirect(302, address.origin + ownTarget(exchange.req.originalUrl));
  });
  return (req, res, next) => {
    if (isRead(req) && address.isAddressOfName(req.headers.host)) return redirect(req, res, next);
    return next();
  };
}

async function sendBrandedPage({ res }: HttpExchange, path: string, brand: Brand): Promise<void> {
  const html = brandedPage(await readFile(path, 'utf8'), brand);
  leaveToClient(res);
  res.set({ ...HEADERS, 'cache-control': 'no-cache', vary: VARY_OF_PAGES }).type('html').send(html);
}

/** Disconnects clients that do not read; a disconnected client is no failure. Rejects if the file is missing. */
async function sendFile(exchange: HttpExchange, { root }: DashboardFiles, file: DashboardFile): Promise<void> {
  const { res, clock } = exchange;
  setHeaders(res, file);
  leaveToClient(res);
  const watch = new ReaderWatch(res.req.socket, clock);
  try {
    await new Promise<void>((resolve, reject) => {
      res.sendFile(file.name, { root, acceptRanges: false, cacheControl: false, dotfiles: 'deny' }, (error?: Error) => {
        if (error === undefined || res.headersSent || exchange.clientLeft) resolve();
        else reject(error);
      });
    });
  } catch (failure) {
    res.removeHeader('content-encoding');
    throw failure;
  } finally {
    watch.stop();
  }
}

function setHeaders(res: Response, { extension, encoding, isHashed, isPage }: DashboardFile): void {
  res.set({ ...HEADERS, 'cache-control': isHashed ? FOR_EVER : 'no-cache', vary: isPage ? VARY_OF_PAGES : 'accept-encoding' });
  res.type(extension);
  if (encoding !== null) res.set('content-encoding', encoding);
}

/** Encodings of precompressed copies with their file endings, the encoding with the smaller copies first. */
const COPIES = [['br', '.br'], ['gzip', '.gz']] as const;
/** The HTML files of the single-page application, one per language; `index.html` is for the default language. */
const PAGE = /^index(?:\.([a-z]{2}))?\.html$/;
const DEFAULT_PAGE = 'index.html';
const HASHED = 'assets/';

/** Files are in the root, or in the folder of hashed files. Elsewhere dots are part of ids, such as model names. */
function namesFile(path: string): boolean {
  return extname(path) !== '' && (path.startsWith(HASHED) || !path.includes('/'));
}

export type Encoding = (typeof COPIES)[number][0];

interface DashboardFile {
  /** Relative path of the file that is sent, which may be a compressed copy. */
  readonly name: string;
  /** Relative path of the uncompressed file. */
  readonly original: string;
  /** Extension of the original file, with the dot. */
  readonly extension: string;
  readonly encoding: Encoding | null;
  /** True for the HTML file of the single-page application. */
  readonly isPage: boolean;
  /** Immutable: its name contains a hash. */
  readonly isHashed: boolean;
}

/** Only listed files are served; the list is refreshed after a new build. */
class DashboardFiles {
  readonly root: string;
  #names: ReadonlySet<string> = new Set();
  /** Names of the pages by language. */
  #pages: ReadonlyMap<string, string> = new Map();
  #builtAt: number | null = null;

  constructor(folder: URL) {
    this.root = fileURLToPath(folder);
    this.#listWhenBuilt();
  }

  get isBuilt(): boolean {
    this.#listWhenBuilt();
    return this.#names.has(DEFAULT_PAGE);
  }

  /** Languages that have a page; the default first. */
  get languages(): readonly string[] {
    return [DEFAULT_LANGUAGE, ...[...this.#pages.keys()].filter((language) => language !== DEFAULT_LANGUAGE)];
  }

  #listWhenBuilt(): void {
    const builtAt = statSync(join(this.root, DEFAULT_PAGE), { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (builtAt === null || builtAt === this.#builtAt) return;
    this.#names = new Set(readdirSync(this.root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
    const pages = [...this.#names].map((name) => PAGE.exec(name)).filter((page) => page !== null);
    this.#pages = new Map(pages.map(([name, language = DEFAULT_LANGUAGE]) => [language, name]));
    this.#builtAt = builtAt;
  }

  /**
   * The file for a path below `/dashboard`; a path that names no file is a view, which gets the page in the language. `null` if that file is missing.
   * `accepted` are the browser's encodings.
   */
  find(path: string, language: string, accepted: readonly string[]): DashboardFile | null {
    const wanted = path.replace(/^\/+/, '');
    const original = namesFile(wanted) ? wanted : this.#pages.get(language) ?? DEFAULT_PAGE;
    const isCopy = COPIES.some(([, ending]) => original.endsWith(ending));
    if (isCopy || !this.#names.has(original)) return null;
    const [encoding, ending] = COPIES.find(([copy, end]) => accepted.includes(copy) && this.#names.has(original + end)) ?? [null, ''];
    return { name: original + ending, original, extension: extname(original), encoding, isPage: PAGE.test(original), isHashed: original.startsWith(HASHED) };
  }
}

/** Includes the headers that choose the language. */
const VARY_OF_PAGES = 'accept-encoding, accept-language, cookie';
const FOR_EVER = 'public, max-age=31536000, immutable';
const NOT_BUILT = 'The dashboard is not built. Run `npm run build` in the folder of Tollgate, then restart the gateway.\n';

/** No inline code, no foreign sources, Trusted Types. The playground's pictures are data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'",
  "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
