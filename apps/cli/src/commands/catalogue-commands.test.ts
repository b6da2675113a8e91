import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(() => {
  folder = new TollgateFolder();
});
afterEach(() => folder.remove());

const MISTAKES = `usd_per_service_token: cheap
upstreams:
  main: { kind: openai, base_url: ftp://server }
models:
  small:
    context_window: 8000
    price: { prompt: 1, output: 2 }
    targets: [{ upstream: mian, model: small }]
`;

const PRICES = (later: string) => `usd_per_service_token: 2
upstreams: { s: { kind: sandbox } }
models:
  mine: { context_window: 9, max_output_tokens: 9, price: { prompt: 2, output: 3, later: [{ from: 2026-01-01, prompt: 2, output: 3, ${later} }] }, targets: [{ upstream: s, model: m }] }
price_lists:
  partners: { name: Partners, entries: [{ factor: 1 }, { from: 2027-01-01, models: { mine: { prompt: 2, output: 3, ${later} } } }] }
`;

describe('prices per million tokens', () => {
  const headingsOf = async (command: string): Promise<string> => (await folder.run(command, 'list')).out.split('\n')[0] ?? '';

  it.each([
    ['cached_prompt: 1', / INPUT +FROM CACHE +OUTPUT +USD INPUT +USD FROM CACHE +USD OUTPUT( |$)/, / 2 +1 +3 +4 +2 +6( |$)/m],
    ['cache_creation: 4', / INPUT +TO CACHE +OUTPUT +USD INPUT +USD TO CACHE +USD OUTPUT( |$)/, / 2 +4 +3 +4 +8 +6( |$)/m],
    ['cached_prompt: 2', / INPUT +OUTPUT +USD INPUT +USD OUTPUT( |$)/, / 2 +3 +4 +6( |$)/m],
  ])('have a column for each token class whose price differs from that of input: %s', async (later, headings, prices) => {
    folder.environment['CATALOG_FILE'] = 'prices.yaml';
    writeFileSync(join(folder.path, 'prices.yaml'), PRICES(later));
    for (const command of ['models', 'prices']) {
      expect(await headingsOf(command)).toMatch(headings);
      expect((await folder.run(command, 'list')).out).toMatch(prices);
    }
  });
});

describe('catalog check', () => {
  it('counts the upstreams, models and plans of a valid file, and needs no database', async () => {
    const example = readFileSync(new URL('../../../../catalog.example.yaml', import.meta.url), 'utf8');
    writeFileSync(join(folder.path, 'new.yaml'), example);
    for (const [, name] of example.matchAll(/^ *api_key_env: (\w+)/gm)) folder.environment[name ?? ''] = 'key';
    expect(await folder.run('catalog', 'check', 'new.yaml')).toEqual({
      exitCode: 0, out: expect.stringMatching(/^new\.yaml has no mistakes\. Upstreams: \d+, models: \d+, plans: \d+\.\n$/), error: '',
    });
    expect(await folder.json('catalog', 'check', join(folder.path, 'new.yaml'))).toMatchObject({ valid: true, problems: [] });
  });

  it('reports every error at once with its line', async () => {
    writeFileSync(join(folder.path, 'new.yaml'), MISTAKES);
    const { exitCode, out } = await folder.run('catalog', 'check', 'new.yaml');
    expect(exitCode).toBe(1);
    expect(out.trimEnd().split('\n').map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
      'new.yaml:1: usd_per_service_token', 'new.yaml:3: upstreams.main.base_url', 'new.yaml:6: models.small.max_output_tokens', 'new.yaml:8: models.small.targets[0].upstream',
    ]);
    const { exitCode: jsonExitCode, out: json } = await folder.run('catalog', 'check', 'new.yaml', '--json');
    expect(jsonExitCode).toBe(1);
    expect(JSON.parse(json)).toMatchObject({ file: 'new.yaml', valid: false, problems: [{ line: 1 }, { line: 3 }, { line: 6 }, { line: 8, message: 'there is no upstream mian' }] });
  });

  it('reports a missing file', async () => {
    expect(await folder.run('catalog', 'check', 'none.yaml')).toEqual({ exitCode: 1, out: 'none.yaml: cannot be read: there is no such file\n', error: '' });
  });
});
