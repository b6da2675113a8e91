import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CannotRunError, compileFailingSync, findCompiler } from './failing-sync.js';

describe('the library that makes fdatasync fail', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-sync-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function place(name: string, mode: number): void {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin', name), '');
    chmodSync(join(folder, 'bin', name), mode);
  }

  it('finds the preferred compiler of those that are installed', () => {
    place('gcc', 0o755);
    expect(findCompiler(`/nowhere::${join(folder, 'bin')}`)).toBe(join(folder, 'bin/gcc'));
    place('cc', 0o755);
    expect(findCompiler(join(folder, 'bin'))).toBe(join(folder, 'bin/cc'));
  });

  it('finds no compiler if none of the files is executable', () => {
    place('cc', 0o644);
    expect(findCompiler(join(folder, 'bin'))).toBeNull();
    expect(findCompiler('')).toBeNull();
  });

  it.each([[{ path: '', platform: 'linux' as const }], [{ platform: 'darwin' as const }]])('cannot be compiled on the machine %j, which lacks a compiler or Linux', (machine) => {
    expect(() => compileFailingSync(folder, machine)).toThrow(CannotRunError);
  });

  it('makes syncs of another process fail while it is enabled', () => {
    if (process.platform !== 'linux' || findCompiler(process.env['PATH'] ?? '') === null) return;
    const sync = compileFailingSync(folder);
    const script = `const fs = require('node:fs'); const f = fs.openSync(${JSON.stringify(join(folder, 'some'))}, 'w');
      for (const call of [fs.fdatasyncSync, fs.fsyncSync]) { try { call(f); console.log('synced'); } catch ({ code }) { console.log(code); } }`;
    const run = (): string => execFileSync(process.execPath, ['-e', script], { env: sync.environment, encoding: 'utf8' });
    sync.begin();
    expect(run()).toBe('EIO\nEIO\n');
    sync.end();
    expect(run()).toBe('synced\nsynced\n');
  });
});
