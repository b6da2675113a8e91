import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pinnedNode, root } from '../../scripts/bootstrap/run.mjs';

const SCRIPTS = join(import.meta.dirname, '../../scripts/bootstrap');
const LOCK = 'node_modules/.cache/tollgate/dashboard-built.lock';
/** Path of the pinned Node, relative to the project. */
const NODE = relative(root, pinnedNode);
const WAITS = 'Waiting for another process that builds the dashboard.\n';
const LONG_AGO = new Date(0);
const SUCCEEDS = "import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('apps/gateway/pages', { recursive: true }); writeFileSync('apps/gateway/pages/index.html', '');";

describe('the build of the dashboard at a start of the gateway', () => {
  let project = '';

  beforeEach(() => {
    project = mkdtempSync(join(realpathSync(tmpdir()), 'tollgate-built-'));
    for (const path of ['scripts/bootstrap', 'apps/dashboard/src/texts/en', 'apps/dashboard/vite', 'apps/dashboard/public', 'packages/api-contract/src', dirname(NODE), 'node_modules/vite/bin']) {
      mkdirSync(join(project, path), { recursive: true });
    }
    for (const name of ['built.mjs', 'follow-npm.mjs', 'lock.mjs', 'progress.mjs', 'run.mjs', 'scopes.mjs']) copyFileSync(join(SCRIPTS, name), join(project, 'scripts/bootstrap', name));
    for (const name of ['index.html', 'vite.config.ts', 'package.json']) writeFileSync(join(project, 'apps/dashboard', name), name === 'package.json' ? '{}' : '');
    writeFileSync(join(project, 'node_modules/vite/package.json'), '{ "type": "module" }');
    symlinkSync(process.execPath, join(project, NODE));
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  /** Starts the project with a builder that prints `built` and then runs this code. */
  function startWith(builder: string): { readonly status: number | null; readonly output: string } {
    writeFileSync(join(project, 'node_modules/vite/bin/vite.js'), `process.stderr.write('built\\n'); ${builder}`);
    return start();
  }

  function start(): { readonly status: number | null; readonly output: string } {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script()], { cwd: project, encoding: 'utf8' });
    return { status, output: stderr };
  }

  function script(): string {
    return `const { buildDashboardWhenStale } = await import('${pathToFileURL(join(project, 'scripts/bootstrap/built.mjs')).href}');
      const code = await buildDashboardWhenStale(); process.stderr.write('starts\\n'); process.exitCode = code;`;
  }

  test('runs once, and again after a change', () => {
    expect(startWith(SUCCEEDS)).toEqual({ status: 0, output: 'Building the dashboard.\nbuilt\nstarts\n' });
    expect(readFileSync(join(project, 'apps/gateway/pages/index.html'), 'utf8')).toBe('');
    expect(start()).toEqual({ status: 0, output: 'starts\n' });
    writeFileSync(join(project, 'apps/dashboard/src/page.ts'), '');
    expect(start().output).toContain('built');
  });

  test('runs once for each language, beginning with the default', () => {
    mkdirSync(join(project, 'apps/dashboard/src/texts/de'));
    expect(startWith(`process.stderr.write(process.env.DASHBOARD_LANGUAGE + '\\n'); ${SUCCEEDS}`).output).toBe('Building the dashboard.\nbuilt\nen\nbuilt\nde\nstarts\n');
  });

  test('takes over a stale lock', () => {
    mkdirSync(join(project, LOCK), { recursive: true });
    utimesSync(join(project, LOCK), LONG_AGO, LONG_AGO);
    expect(startWith(SUCCEEDS)).toEqual({ status: 0, output: 'Building the dashboard.\nbuilt\nstarts\n' });
    expect(existsSync(join(project, LOCK))).toBe(false);
  });

  test('waits for the build of another process, and prints that it waits', async () => {
    mkdirSync(join(project, LOCK), { recursive: true });
    writeFileSync(join(project, 'node_modules/vite/bin/vite.js'), SUCCEEDS);
    const waiting = spawn(process.execPath, ['--input-type=module', '-e', script()], { cwd: project });
    const exit = once(waiting, 'exit');
    expect(await once(waiting.stderr.setEncoding('utf8'), 'data')).toEqual([WAITS]);
    rmSync(join(project, LOCK), { recursive: true });
    expect(await exit).toEqual([0, null]);
  });

  test('does not prevent the start if the folder of its lock is not writable', () => {
    writeFileSync(join(project, 'node_modules/.cache'), 'no folder');
    const { status, output } = startWith(SUCCEEDS);
    expect(output).toContain('cannot be built');
    expect(output).toContain('starts');
    expect(status).toBe(1);
  });

  test('does nothing if the builder is not installed', () => {
    expect(start()).toEqual({ status: 0, output: 'starts\n' });
  });

  test.each(['process.exitCode = 1;', "process.kill(process.pid, 'SIGKILL');"])('does not prevent the start if it fails, and prints the command: %s', (builder) => {
    const { status, output } = startWith(builder);
    expect(output).toContain('All but /dashboard is served');
    expect(output).toContain('starts');
    expect(status).not.toBe(0);
  });

  test.each(['SIGINT', 'SIGTERM'])('prevents the start if %s stops the build', (signal) => {
    const { status, output } = startWith(`process.kill(process.pid, '${signal}');`);
    expect(output).toContain('Stopped while the dashboard was being built.');
    expect(output).not.toContain('starts');
    expect(status).toBe(1);
  });
});
