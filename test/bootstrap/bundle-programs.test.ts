import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { nodeModules } from '../../scripts/bootstrap/run.mjs';

const SCRIPTS = join(import.meta.dirname, '../../scripts/bootstrap');

/** Both programs print what they find. The package `paper` is installed twice: version 1 for all, version 2 for the workspace `mail`. */
const FILES: Readonly<Record<string, string>> = {
  'apps/gateway/dist/main.js': "import { stamp } from '@tollgate/mail'; import { version } from 'paper'; console.log(stamp(), version);",
  'apps/cli/dist/main.js': "const { stamp } = await import('@tollgate/mail'); console.log(stamp());",
  'packages/mail/package.json': '{ "name": "@tollgate/mail", "type": "module", "exports": "./dist/index.js" }',
  'packages/mail/dist/index.js': "export { stamp } from './stamp.js'; export const unused = 'not imported';",
  'packages/mail/dist/stamp.js': "import { readFileSync } from 'node:fs'; import { version } from 'paper';\n/** Said. */\nexport function stamp() { return readFileSync(new URL('../text/stamp.txt', import.meta.url), 'utf8') + version; }",
  'packages/mail/text/stamp.txt': 'Berlin ',
  'packages/mail/node_modules/paper/package.json': '{ "name": "paper", "type": "module", "exports": "./index.js" }',
  'packages/mail/node_modules/paper/index.js': 'export const version = 2;',
  'node_modules/paper/package.json': '{ "name": "paper", "type": "module", "exports": "./index.js" }',
  'node_modules/paper/index.js': 'export const version = 1;',
};

const LONG_AGO = new Date(0);

let project = '';

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

function run(path: string): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(project, path)], { encoding: 'utf8' });
  return { stdout, stderr, status };
}

beforeEach(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-bundle-'));
  put('package.json', '{ "type": "module" }');
  for (const [path, text] of Object.entries(FILES)) put(path, text);
  mkdirSync(join(project, 'node_modules/@tollgate'));
  symlinkSync(join(project, 'packages/mail'), join(project, 'node_modules/@tollgate/mail'));
  symlinkSync(join(nodeModules, 'rolldown'), join(project, 'node_modules/rolldown'));
  mkdirSync(join(project, 'scripts/bootstrap'), { recursive: true });
  for (const name of ['bundle-programs.mjs', 'follow-npm.mjs', 'run.mjs']) copyFileSync(join(SCRIPTS, name), join(project, 'scripts/bootstrap', name));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test('a bundle still finds the files of its workspaces, and their versions of packages, after it was moved', () => {
  expect(run('scripts/bootstrap/bundle-programs.mjs')).toEqual({ stdout: '', stderr: '', status: 0 });
  rmSync(join(project, 'packages/mail/dist'), { recursive: true });
  const moved = `${project}-moved`;
  renameSync(project, moved);
  project = moved;
  expect(readFileSync(join(project, 'apps/gateway/bundle/main.js'), 'utf8')).not.toMatch(/not imported|Said/);
  expect(run('apps/gateway/bundle/main.js')).toEqual({ stdout: 'Berlin 2 1\n', stderr: '', status: 0 });
  expect(run('apps/cli/bundle/main.js')).toEqual({ stdout: 'Berlin 2\n', stderr: '', status: 0 });
});

test('parts of a bundle are kept for a week after the build that replaces them, whatever their age', () => {
  const bundle = join(project, 'apps/gateway/bundle');
  put('apps/gateway/dist/main.js', "const { said } = await import('./late.js'); console.log(said);");
  /** Builds, and returns the names of the bundle's files, after making them look old. */
  const builtWith = (said: string): readonly string[] => {
    put('apps/gateway/dist/late.js', `export const said = '${said}';`);
    run('scripts/bootstrap/bundle-programs.mjs');
    expect(run('apps/gateway/bundle/main.js').stdout).toBe(`${said}\n`);
    const names = readdirSync(bundle);
    for (const name of names) utimesSync(join(bundle, name), LONG_AGO, LONG_AGO);
    return names;
  };
  const [first, second, third] = [builtWith('one'), builtWith('two'), builtWith('three')];
  const [late = ''] = first.filter((name) => name.startsWith('late-'));
  expect(second).toEqual(expect.arrayContaining([...first]));
  expect(second).toHaveLength(first.length + 1);
  expect(third).toEqual(expect.arrayContaining(second.filter((name) => name !== late)));
  expect([third.includes(late), third.length]).toEqual([false, second.length]);
});

test.each([
  ['a package that is not installed', "import 'ink';", 'imports ink, which is not installed'],
  ['an address in a form that would change', 'console.log(import.meta.dirname);', 'import.meta.dirname'],
])('bundling fails if a program uses %s', (_case, source, problem) => {
  put('apps/gateway/dist/main.js', source);
  const { stderr, status } = run('scripts/bootstrap/bundle-programs.mjs');
  expect([stderr.includes(problem), status]).toEqual([true, 1]);
  expect(existsSync(join(project, 'apps/gateway/bundle/main.js'))).toBe(false);
});
