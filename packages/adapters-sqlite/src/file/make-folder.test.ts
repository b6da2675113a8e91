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

  it('makes a folder and those it is in, once or again', () => {
    const folder = join(place, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('takes the working folder as it is', () => {
    expect(() => makeFolder('.')).not.toThrow();
  });

  it('says what is against it where a file stands in the way', () => {
    writeFileSync(join(place, 'file'), '');
    expect(() => makeFolder(join(place, 'file', 'below'))).toThrow('ENOTDIR');
  });

  it('says what is against it where the system makes no folders, rather than trying for ever', () => {
    // Below /proc the system answers that the folder above is missing, although it is there.
    expect(() => makeFolder('/proc/tollgate/data')).toThrow("mkdir '/proc");
  });
});
