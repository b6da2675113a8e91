import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { until } from '@tollgate/testkit';
import { parseMail } from '@tollgate/testkit/mail-server';
import { StartRefused } from '../src/http/server/start-refused.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';
import { TestBrowser } from '../src/test-support/test-browser.js';

let folder = '';
let gateway: EmbeddedGateway | null;

beforeEach(() => {
  gateway = null;
  folder = mkdtempSync(join(tmpdir(), 'tollgate-templates-'));
  mkdirSync(join(folder, 'texts'));
});
afterEach(async () => {
  await gateway?.close();
  rmSync(folder, { recursive: true });
});

function start(text: string): Promise<EmbeddedGateway> {
  writeFileSync(join(folder, 'texts', 'verify-address.txt'), text);
  return startEmbeddedGateway({ environment: { BRAND_NAME: 'Acme AI', MAIL_TEMPLATES: join(folder, 'texts'), MAIL_FOLDER: join(folder, 'mail') } });
}

it('a gateway sends the texts of MAIL_TEMPLATES', async () => {
  gateway = await start('Subject: Welcome to {{product}}\n\nConfirm here:\n\n{{link}}');
  const browser = new TestBrowser(gateway.gateway);
  expect((await browser.call(contract.signUp, { body: { email: 'ann@example.test', name: 'Ann', password: 'correct horse battery' } })).status).toBe(202);
  const files = () => readdirSync(folder).includes('mail') ? readdirSync(join(folder, 'mail')).filter((name) => name.endsWith('.eml')) : [];
  await until(() => files().length === 1);
  const { subject, text } = await parseMail(readFileSync(join(folder, 'mail', files()[0] ?? ''), 'utf8'));
  expect(subject).toBe('Welcome to Acme AI');
  expect(text).toMatch(/^Confirm here:\n\nhttp:\/\/localhost:\d+\/dashboard\/verify#token=[\w-]+\n*$/);
});

it('a gateway does not start with a text that lacks the link of its mail', async () => {
  await expect(start('Subject: Welcome\n\nConfirm.')).rejects.toEqual(new StartRefused(['MAIL_TEMPLATES: verify-address.txt lacks {{link}} in its text']));
});
