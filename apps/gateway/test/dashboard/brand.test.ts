import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';
import { StartRefused } from '../../src/http/server/start-refused.js';

const PAGE = '<!doctype html><html><head><title>Tollgate</title><link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml"></head><body></body></html>';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><circle r="4"></circle></svg>';
let folder = '';
let gateway: EmbeddedGateway;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-brand-'));
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages/index.html'), PAGE);
  writeFileSync(join(folder, 'logo.svg'), LOGO);
  gateway = await startWith({ BRAND_NAME: 'Acme "AI" <&>', BRAND_LOGO: join(folder, 'logo.svg'), BRAND_ACCENT: '#d9480f', BRAND_TOKEN_WORD: 'credit/credits', TERMS_URL: 'https://acme.example/terms', SUPPORT_CONTACT: 'help@acme.example' });
});

afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

function startWith(environment: Readonly<Record<string, string>>): Promise<EmbeddedGateway> {
  return startEmbeddedGateway({ environment, services: { dashboardPages: pathToFileURL(join(folder, 'pages/')) } });
}

function get(path: string, from: EmbeddedGateway = gateway): Promise<Response> {
  return fetch(`http://localhost:${new URL(from.url).port}${path}`, { headers: { accept: 'text/html' } });
}

describe('the page of a service with a name of its own', () => {
  it('has the name, the logo, the colours and the links in its head, escaped', async () => {
    const html = await (await get('/dashboard/keys')).text();
    expect(html).toContain('<title>Acme &quot;AI&quot; &lt;&amp;&gt;</title>');
    expect(html).toMatch(/<link rel="icon" href="\/dashboard\/brand-logo\?v=[0-9a-f]{12}">/);
    expect(html).toMatch(/<link rel="stylesheet" href="\/dashboard\/brand\.css\?v=[0-9a-f]{12}"><\/head>/);
    const [, content = ''] = /<meta name="brand" content="([^"]*)">/.exec(html) ?? [];
    expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))).toEqual({
      name: 'Acme "AI" <&>', tokenWord: { one: 'credit', many: 'credits' }, logo: expect.stringMatching(/^\/dashboard\/brand-logo\?v=/), support: 'mailto:help@acme.example', imprint: null, terms: 'https://acme.example/terms', privacy: null,
    });
    expect(html).not.toContain('Tollgate');
  });

  it('keeps its content security policy and is revalidated', async () => {
    const { headers } = await get('/dashboard');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it('shows a logo whose scripts are removed, so that none runs when the logo is opened alone', async () => {
    const reply = await get('/dashboard/brand-logo?v=1');
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining('image/svg+xml'), "default-src 'none'; style-src 'unsafe-inline'; sandbox"]);
    expect(await reply.text()).toBe('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"></circle></svg>');
  });

  it('has the accent colour in the light and the dark scheme', async () => {
    const reply = await get('/dashboard/brand.css');
    expect(reply.headers.get('content-type')).toContain('text/css');
    const styles = await reply.text();
    expect(styles.match(/--primary: #d9480f;/g)).toHaveLength(2);
    expect(styles).toContain("[data-mantine-color-scheme='dark']");
  });
});

it('a service with a name of its own uses that name, and its word for service tokens, in its API descriptions', async () => {
  const json = async (path: string, from: EmbeddedGateway = gateway) => (await fetch(`http://localhost:${new URL(from.url).port}${path}`)).json() as Promise<{ readonly name?: string; readonly info?: { readonly title: string; readonly description: string } }>;
  expect((await json('/')).name).toBe('Acme "AI" <&>');
  for (const [surface, title] of [['v1', 'Acme "AI" <&>'], ['admin', 'Acme "AI" <&> for machines'], ['dashboard', 'Acme "AI" <&> dashboard']] as const) {
    const { info } = await json(`/openapi.json?surface=${surface}`);
    expect(info).toMatchObject({ title, description: expect.stringMatching(/ Service tokens are what the pages of this service call credits\.$/) });
    expect(JSON.stringify(info)).not.toContain('Tollgate');
  }
  const plain = await startWith({});
  expect([(await json('/', plain)).name, (await json('/openapi.json', plain)).info]).toEqual(['Tollgate', expect.objectContaining({ title: 'Tollgate', description: expect.not.stringContaining('call service tokens') })]);
  await plain.close();
});

it('without brand settings, the page is unchanged since the build, and there is no logo', async () => {
  const plain = await startWith({});
  expect(await (await get('/dashboard', plain)).text()).toBe(PAGE);
  expect(await (await get('/dashboard/brand-logo', plain)).text()).not.toContain('<svg');
  await plain.close();
});

it.each([['missing.svg', 'cannot be read: ENOENT'], ['pages/index.html', 'is neither SVG nor PNG']])('a gateway whose logo is %s does not start', async (name, problem) => {
  const path = join(folder, name);
  await expect(startWith({ BRAND_LOGO: path })).rejects.toThrow(StartRefused);
  await expect(startWith({ BRAND_LOGO: path })).rejects.toMatchObject({ message: expect.stringContaining(`BRAND_LOGO: the file ${path} ${problem}`) });
});
