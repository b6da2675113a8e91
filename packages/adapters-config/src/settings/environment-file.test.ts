import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { withEnvironmentFile } from './environment-file.js';
import { unknownNamesIn } from './unknown-names.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-env-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('the variables of .env are added to the environment, whose own variables take precedence', () => {
  writeFileSync(join(folder, '.env'), 'PORT=9000\nHOST="0.0.0.0" # all interfaces\n');
  expect(withEnvironmentFile({ PORT: '7000' }, folder)).toEqual({ PORT: '7000', HOST: '0.0.0.0' });
});

it('.env is read if it begins with a byte order mark', () => {
  writeFileSync(join(folder, '.env'), '\uFEFFPORT=9000\r\nHOST=0.0.0.0\r\n');
  expect(withEnvironmentFile({}, folder)).toEqual({ PORT: '9000', HOST: '0.0.0.0' });
  expect(unknownNamesIn(folder, {})).toEqual([]);
});

it.each([['little', (text: string) => Buffer.from(text, 'utf16le')], ['big', (text: string) => Buffer.from(text, 'utf16le').swap16()]])('.env is read in UTF-16 (%s-endian) with a byte order mark, as Windows shells write it', (_order, encode) => {
  writeFileSync(join(folder, '.env'), encode('\uFEFFPORT=9000\r\nOIDC_NAME=Zürich\r\n'));
  expect(withEnvironmentFile({}, folder)).toEqual({ PORT: '9000', OIDC_NAME: 'Zürich' });
  expect(unknownNamesIn(folder, {})).toEqual([]);
});

it('the environment is unchanged if there is no .env', () => {
  expect(withEnvironmentFile({ PORT: '7000' }, folder)).toEqual({ PORT: '7000' });
});
