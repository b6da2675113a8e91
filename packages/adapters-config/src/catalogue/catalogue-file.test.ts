import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { DEFAULT_REQUEST_LIMITS } from '@tollgate/core';
import { catalogueSourceContract } from '@tollgate/testkit';
import { readSettings } from '../settings/settings.js';
import { CatalogueFile, type CatalogueReload } from './catalogue-file.js';
import { openCatalogue } from './open-catalogue.js';

const CONTEXT = {
  environment: {},
  timeouts: { connectMilliseconds: 1, firstByteMilliseconds: 2, firstOutputMilliseconds: 5, silenceMilliseconds: 3, wholeMilliseconds: 4 },
};

function catalogueOf(model: string): string {
  return `
usd_per_service_token: 0.001
upstreams: { simulated: { kind: sandbox } }
models: { ${model}: { context_window: 10, max_output_tokens: 10, price: { prompt: 1, output: 1 }, targets: [{ upstream: simulated, model: m }] } }
`;
}

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-catalogue-'));
  path = join(folder, 'catalog.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function opened(): CatalogueFile {
  const opening = CatalogueFile.open(path, CONTEXT);
  if ('problems' in opening) throw new Error(JSON.stringify(opening.problems));
  return opening.file;
}

it.each([['UTF-8', (text: string) => Buffer.from(text)], ['UTF-16', (text: string) => Buffer.from(text, 'utf16le')]])('a catalogue file in %s is read if it begins with a byte order mark', (_encoding, encode) => {
  writeFileSync(path, encode(`\uFEFF${catalogueOf('small')}`));
  expect(opened().current().models.map(({ slug }) => slug)).toEqual(['small']);
});

catalogueSourceContract('file', (model) => {
  write(catalogueOf(model));
  const source = opened();
  return {
    source,
    replace: (next) => {
      write(catalogueOf(next));
      source.reload();
    },
  };
});

describe('CatalogueFile', () => {
  it('rejects a file that has an error, and a missing file', () => {
    expect(CatalogueFile.open(path, CONTEXT)).toEqual({ problems: [{ line: null, path: '', message: 'cannot be read: there is no such file' }] });
    write('models: 1');
    expect(CatalogueFile.open(path, CONTEXT)).toMatchObject({ problems: [{ line: 1 }, { line: 1 }, { line: 1 }] });
  });

  it('applies a changed file as a whole, including its upstreams', () => {
    write(catalogueOf('first'));
    const file = opened();
    const before = file.current();
    write(catalogueOf('second').replaceAll('simulated', 'other'));
    expect(file.reload().outcome).toBe('replaced');
    expect(file.current().models.map(({ slug }) => slug)).toEqual(['second']);
    expect(file.upstreams.map(({ id }) => id)).toEqual(['other']);
    expect(before.models.map(({ slug }) => slug)).toEqual(['first']);
  });

  it('reports an error in the changed file, and keeps the active catalogue', () => {
    write(catalogueOf('first'));
    const file = opened();
    write(catalogueOf('second').replace('prompt: 1', 'prompt: one'));
    expect(file.reload()).toMatchObject({ outcome: 'rejected', problems: [{ line: 4, path: 'models.second.price.prompt' }] });
    expect(file.current().resolve('first')).not.toBeNull();
  });

  it('reports each change of the watched file once, and none after watching has stopped', () => {
    write(catalogueOf('first'));
    const file = opened();
    const clock = new ManualClock();
    const reports: CatalogueReload[] = [];
    const stop = file.watch(clock, 1_000, (reload) => reports.push(reload));
    clock.advance(5_000);
    expect(reports).toEqual([]);
    write(catalogueOf('second'));
    clock.advance(999);
    expect(file.current().resolve('second')).toBeNull();
    clock.advance(1);
    write('nonsense');
    clock.advance(3_000);
    rmSync(path);
    clock.advance(3_000);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['replaced', 'rejected', 'rejected']);
    expect(file.current().resolve('second')).not.toBeNull();
    stop();
    write(catalogueOf('third'));
    clock.advance(5_000);
    expect(reports).toHaveLength(3);
    expect(clock.pendingTasks).toBe(0);
  });
});

describe('openCatalogue', () => {
  async function openedWith(environment: Readonly<Record<string, string>>): Promise<unknown> {
    const reading = readSettings(environment);
    if ('problems' in reading) throw new Error(reading.problems.join('\n'));
    const opening = await openCatalogue(reading.settings, environment, ({ baseUrl }) =>
      Promise.resolve({ baseUrl, models: [{ id: `model-of-${new URL(baseUrl).hostname}`, contextWindowTokens: null, maxOutputTokens: null }] }));
    if ('problems' in opening) return opening.problems;
    return { origin: opening.opened.origin, models: opening.opened.source.current().models.map(({ slug }) => slug) };
  }

  it('opens the catalogue file if one is set, else the models of the upstream, else the built-in catalogue', async () => {
    write(catalogueOf('from-file'));
    const upstream = { UPSTREAM_BASE_URL: 'http://there/v1' };
    expect(await openedWith({ ...upstream, CATALOG_FILE: path })).toEqual({ origin: 'file', models: ['from-file'] });
    expect(await openedWith(upstream)).toEqual({ origin: 'upstream', models: ['model-of-there'] });
    expect(await openedWith({})).toMatchObject({ origin: 'built-in' });
  });

  it.each([
    ['the catalogue file, with the defaults for limits that it omits', { CATALOG_FILE: 'path', MAX_MESSAGES: '300' }, { ...DEFAULT_REQUEST_LIMITS, messages: 1_000, stopSequences: 20 }],
    ['the settings, if they name an upstream', { UPSTREAM_BASE_URL: 'http://there/v1', MAX_MESSAGES: '300', MAX_TOOLS: '200' }, { ...DEFAULT_REQUEST_LIMITS, messages: 300, tools: 200 }],
    ['the settings, if there is neither a file nor an upstream', { MAX_MESSAGES: '300' }, { ...DEFAULT_REQUEST_LIMITS, messages: 300 }],
  ])('takes the request limits from %s', async (_, environment, limits) => {
    write(`${catalogueOf('from-file')}\nrequest_limits: { messages: 1_000, stop_sequences: 20 }\n`);
    const reading = readSettings('CATALOG_FILE' in environment ? { ...environment, CATALOG_FILE: path } : environment);
    if ('problems' in reading) throw new Error(reading.problems.join('\n'));
    const opening = await openCatalogue(reading.settings, {}, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
    if ('problems' in opening) throw new Error(opening.problems.join('\n'));
    expect(opening.opened.source.current().requestLimits).toEqual(limits);
  });

  it.each([
    ['messages', '199', 'must be a whole number from 200 to 10000'], ['messages', '10_001', 'must be a whole number from 200 to 10000'],
    ['tools', 'many', 'must be a whole number from 128 to 1024'], ['tools', '127', 'must be a whole number from 128 to 1024'],
    ['message_characters', '999_999', 'must be a whole number from 1000000 to 2097152'], ['message_characters', '2097153', 'must be a whole number from 1000000 to 2097152'],
    ['stop_sequences', '15', 'must be a whole number from 16 to 64'], ['stop_sequences', '65', 'must be a whole number from 16 to 64'], ['items', '1', 'there is no such field'],
  ])('refuses request_limits in which %s is %s', async (field, value, message) => {
    write(`${catalogueOf('from-file')}\nrequest_limits: { ${field}: ${value} }\n`);
    expect(await openedWith({ CATALOG_FILE: path })).toEqual([expect.stringMatching(new RegExp(`: request_limits\\.${field}: ${message}$`))]);
  });

  it('states the file and the line of an error', async () => {
    write('usd_per_service_token: 1\nupstreams: {}\n');
    expect(await openedWith({ CATALOG_FILE: path })).toEqual([`${path}:1: models: is missing`]);
  });

  it('names the setting CATALOG_FILE in the error if the catalogue file is missing', async () => {
    expect(await openedWith({ CATALOG_FILE: `${path}.none` })).toEqual([`CATALOG_FILE: ${path}.none: cannot be read: there is no such file`]);
  });
});
