import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { projectRoot } from '../docs/documents.js';

const IMAGE = join(projectRoot, 'scripts/image.mjs');
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { readonly version: string };

let folder = '';

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'tollgate-engines-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a program that prints its arguments to standard error and then runs the shell script. */
function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >&2\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** A working engine. Its build fails with exit code 3, which ends the run. */
const works = (name: string): void => program(name, '[ "$1" = build ] && exit 3; exit 0');
/** An engine whose client is installed but has no daemon, so every command fails. */
const hasNoDaemon = (name: string): void => program(name, 'exit 1');

function runImage(given: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IMAGE, ...given], { env: { PATH: folder }, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('npm run image', () => {
  test('skips an engine that does not work, and builds with the next', () => {
    hasNoDaemon('docker');
    works('buildah');
    const { status, output } = runImage([]);
    expect(output).toContain(`Building tollgate:${version} with buildah.`);
    expect(output).toContain(`buildah build --isolation chroot --format docker --tag tollgate:${version} .`);
    expect(output).toContain('"buildah build" ended with code 3.');
    expect(status).toBe(1);
  });

  test('prefers an engine that can also run containers', () => {
    works('buildah');
    works('podman');
    expect(runImage([]).output).toContain('with podman.');
  });

  test('builds with the given engine, base image and name', () => {
    works('docker');
    works('buildah');
    const { output } = runImage(['--engine', 'buildah', '--base', 'registry.example/node:24', '--tag', 'mine:1']);
    expect(output).toContain('buildah build --isolation chroot --format docker --build-arg NODE_IMAGE=registry.example/node:24 --tag mine:1 .');
  });

  test('imports a base that is a folder', () => {
    works('buildah');
    const base = join(folder, 'root');
    mkdirSync(base);
    expect(runImage(['--base', base]).output).toContain('--build-arg NODE_IMAGE=localhost/tollgate-base:latest');
  });

  test('reports what to install if no engine works', () => {
    hasNoDaemon('docker');
    const { status, output } = runImage([]);
    expect(output).toContain('No program that builds images works here ("docker info", "podman info", "buildah info" failed).');
    expect(output).toContain('apt-get install buildah');
    expect(status).toBe(1);
  });

  test('lists the engines if the given one is unknown', () => {
    expect(runImage(['--engine', 'rocket'])).toEqual({ status: 1, output: 'There is no engine rocket; there are docker, podman, buildah.\n' });
  });
});
