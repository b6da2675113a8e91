import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EXIT_CODES, runTollgate } from '@tollgate/cli';
import { allDocuments, codeBlock, codeSpans, readDocument, tableRows } from './documents.js';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  // Readers of these pages have started the gateway, so they have a database.
  await run(['database', 'create']);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(words: readonly string[]): Promise<{ readonly exitCode: number; readonly out: string; readonly error: string }> {
  let [out, error] = ['', ''];
  const surroundings = { environment: { DATABASE_URL: 'sqlite:./tollgate.db' }, folder, userName: 'reader' };
  const exitCode = await runTollgate(words, surroundings, { out: (text) => { out += text; }, error: (text) => { error += text; } });
  return { exitCode, out, error };
}

function commandNames(help: string): readonly string[] {
  const listed = help.split(/^Commands:$/mu)[1] ?? '';
  return [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gmu)].map((match) => match[1] ?? '').filter((name) => name !== 'help');
}

test('support.md lists every command', async () => {
  const groups = commandNames((await run(['--help'])).out);
  const commands = await Promise.all(groups.map(async (group) => {
    const names = commandNames((await run([group, '--help'])).out);
    return names.length === 0 ? [group] : names.map((name) => `${group} ${name}`);
  }));
  expect(groups.length).toBeGreaterThan(0);
  expect(tableRows(readDocument('docs/support.md'), 'commands').map(([command]) => command).toSorted()).toEqual(commands.flat().toSorted());
});

test('support.md lists every exit code', () => {
  const listed = tableRows(readDocument('docs/support.md'), 'exit-codes').map(([code]) => Number(code));
  expect(listed).toEqual(Object.values(EXIT_CODES));
});

test.each<[number, readonly string[]]>([
  [EXIT_CODES.done, ['ledger', 'verify']],
  [EXIT_CODES.failed, ['accounts', 'show', 'nobody@example.test']],
  [EXIT_CODES.failed, ['catalog', 'check', 'none.yaml']],
  [EXIT_CODES.misused, ['accounts', 'shwo']],
  [EXIT_CODES.misused, ['platform', 'maintenance', 'on']],
])('exit code %s is returned by %j', async (exitCode, words) => {
  expect((await run(words)).exitCode).toBe(exitCode);
});

/** Options that a help text lists, including those of every command. */
const optionsIn = (help: string): readonly string[] => help.match(/--[a-z][a-z-]*/gu) ?? [];

test('the pages name only options that their commands have', async () => {
  const commands = tableRows(readDocument('docs/support.md'), 'commands').map(([command]) => command ?? '').toSorted((a, b) => b.length - a.length);
  const helps = new Map(await Promise.all(commands.map(async (command) => [command, optionsIn((await run([...command.split(' '), '--help'])).out)] as const)));
  const calls = allDocuments().flatMap(({ path, text }) => [...codeSpans({ path, text }), ...text.split('\n')]
    .flatMap((line) => /^(?:.*npm run -s tollgate -- |.*\btollgate )?(.*)$/u.exec(line)?.[1] ?? []).map((words) => ({ path, words })));
  const unknown = calls.flatMap(({ path, words }) => {
    const command = commands.find((name) => words === name || words.startsWith(`${name} `));
    if (command === undefined) return [];
    return (words.match(/(?<= )--[a-z][a-z-]*/gu) ?? []).filter((option) => !helps.get(command)?.includes(option)).map((option) => `${path}: ${command} ${option}`);
  });
  expect(unknown).toEqual([]);
  expect(calls.filter(({ words }) => commands.some((name) => words.startsWith(`${name} --`))).length).toBeGreaterThan(10);
});

test('support.md names every command that asks for confirmation', async () => {
  const [, named = ''] = /ask for confirmation in a terminal: (.*)\.\n/u.exec(readDocument('docs/support.md').text) ?? [];
  const commands = tableRows(readDocument('docs/support.md'), 'commands').map(([command]) => command ?? '');
  const helps = await Promise.all(commands.map(async (command) => [command, (await run([...command.split(' '), '--help'])).out] as const));
  const asking = helps.filter(([, help]) => help.includes('--yes')).map(([command]) => command);
  expect([...named.matchAll(/`([a-z]+ [a-z-]+)[^`]*`/gu)].map(([, command]) => command).toSorted()).toEqual(asking.toSorted());
});

test('the small catalogue in configuration.md is valid', async () => {
  writeFileSync(join(folder, 'catalog.yaml'), codeBlock(readDocument('docs/configuration.md'), 'small-catalogue'));
  expect(await run(['catalog', 'check', 'catalog.yaml'])).toMatchObject({ exitCode: 0, error: '' });
});

test('the commands of the README work in the order of the page', async () => {
  const lines = codeBlock(readDocument('README.md'), 'commands').split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    const [, words] = /^npm run -s tollgate -- (.+)$/u.exec(line) ?? [];
    const { exitCode, error } = await run((words ?? '').split(' '));
    expect({ line, exitCode, error }).toEqual({ line, exitCode: 0, error: '' });
  }
});
