import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { unknownNamesIn } from './unknown-names.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-env-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('unknown variables in .env are reported, each with the most similar known name if there is one', () => {
  writeFileSync(join(folder, '.env'), 'PORT=9000\nUNBILLED_PER_MINUTE_KEY=1\nDATABSE_URL=x\nFOO=1\nPROT=1\nhost=y\nSOMETHING_ELSE=z\n');
  expect(unknownNamesIn(folder, {})).toEqual([
    '.env: DATABSE_URL is no setting of Tollgate and has no effect; did you mean DATABASE_URL?',
    '.env: FOO is no setting of Tollgate and has no effect',
    '.env: PROT is no setting of Tollgate and has no effect; did you mean PORT?',
    '.env: SOMETHING_ELSE is no setting of Tollgate and has no effect',
    '.env: host is no setting of Tollgate and has no effect; did you mean HOST?',
  ]);
});

it.each(['.env', 'the environment'])('variables in .env that the catalogue uses are not reported as unknown if CATALOG_FILE is set in %s', (where) => {
  writeFileSync(join(folder, 'catalog.yaml'), 'upstreams:\n  big:\n    api_key_env: BIG_KEY\n');
  writeFileSync(join(folder, '.env'), `BIG_KEY=1\n${where === '.env' ? 'CATALOG_FILE=catalog.yaml\n' : ''}`);
  expect(unknownNamesIn(folder, where === '.env' ? {} : { CATALOG_FILE: './catalog.yaml' })).toEqual([]);
});

it('unknown variables in .env are reported even if the catalogue cannot be read', () => {
  writeFileSync(join(folder, '.env'), 'FOO=1\n');
  expect(unknownNamesIn(folder, { CATALOG_FILE: '.' })).toEqual(['.env: FOO is no setting of Tollgate and has no effect']);
});

it('no variable is reported as unknown if .env cannot be read', () => {
  mkdirSync(join(folder, '.env'));
  expect(unknownNamesIn(folder, {})).toEqual([]);
});

it('unknown variables of the environment are not reported', () => {
  expect(unknownNamesIn(folder, { PROT: '1' })).toEqual([]);
});
