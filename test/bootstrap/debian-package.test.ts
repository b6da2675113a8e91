import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const PROVISION = pathToFileURL(join(import.meta.dirname, '../../scripts/bootstrap/provisions.mjs')).href;

/** Installs a program in a process whose `PATH` is only `folder`, and whose user id is `userId`. */
function provideOn(folder: string, program: 'redisServer' | 'chromium', userId: number): { readonly status: number | null; readonly output: string } {
  const script = `process.getuid = () => ${userId}; const { provideProgram, ...programs } = await import('${PROVISION}'); await provideProgram(programs.${program});`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: { PATH: folder }, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe.each([['redis-server', 'redisServer'], ['chromium', 'chromium']] as const)('the provision of %s', (name, key) => {
  const provide = (folder: string, userId: number) => provideOn(folder, key, userId);
  const INSTRUCTIONS = `apt-get install ${name}`;
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-provision-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const program = (file: string, script: string): void => {
    writeFileSync(join(folder, file), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, file), 0o755);
  };

  test('does nothing if the program is installed', () => {
    program(name, 'exit 0');
    program('apt-get', 'echo apt-get was called >&2; exit 1');
    expect(provide(folder, 0)).toEqual({ status: 0, output: '' });
  });

  test('installs the program from Debian\'s packages, after one update', () => {
    program('apt-get', `[ "$1" = --version ] && exit 0
echo "called: $*"
[ "$2" = install ] && printf '#!/bin/sh\\nexit 0\\n' > '${folder}/${name}' && /bin/chmod +x '${folder}/${name}'
exit 0`);
    const { status, output } = provide(folder, 0);
    expect(output.match(/called: .*/g)).toEqual(['called: -q update', `called: -q install -y --no-install-recommends ${name}`]);
    expect(status).toBe(0);
  });

  test.each<[string, number, string | null, string]>([
    ['the user is not root', 1_000, 'exit 0', 'only root could install it'],
    ['there is no apt-get', 0, null, 'there is no apt-get'],
    ['apt-get fails', 0, '[ "$1" = --version ] && exit 0; exit 100', '"apt-get update" ended with code 100'],
    ['what apt-get installs does not run', 0, 'exit 0', 'does not run'],
  ])('reports what to install if %s', (_case, userId, aptGet, why) => {
    if (aptGet !== null) program('apt-get', aptGet);
    const { status, output } = provide(folder, userId);
    expect(status).toBe(1);
    expect(output).toContain(why);
    expect(output).toContain(INSTRUCTIONS);
  });
});
