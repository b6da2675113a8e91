import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder } from './make-folder.js';

describe('makeFolder', () => {
  let place: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'tollgate-folder-'));
  });

  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('creates a folder with its parents, and accepts an existing one', () => {
    const folder = join(place, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('accepts the working folder', () => {
    expect(() => makeFolder('.')).not.toThrow();
  });

  it('reports the error if the parent of the folder is a file', () => {
    writeFileSync(join(place, 'file'), '');
    expect(() => makeFolder(join(place, 'file', 'below'))).toThrow('ENOTDIR');
  });

  it('reports the error if the system permits no new folder, instead of retrying for ever', () => {
    // Below /proc, the system reports that the parent folder is missing although it exists.
    expect(() => makeFolder('/proc/tollgate/data')).toThrow("mkdir '/proc");
  });
});
