import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeSecretFile, readSecretFile } from './secret-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-secret-'));
  path = join(folder, 'secret');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the file of the secret', () => {
  it('is created with 32 random bytes, accessible to its owner only, and can be read back', () => {
    expect(readSecretFile(path)).toEqual({ outcome: 'missing' });
    const umask = process.umask(0);
    const made = makeSecretFile(path);
    process.umask(umask);
    expect(made).toMatchObject({ outcome: 'read' });
    expect(readSecretFile(path)).toEqual(made);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it('is read in UTF-8 and UTF-16 if it begins with a byte order mark', () => {
    const secret = 'ab'.repeat(32);
    for (const bytes of [Buffer.from(`\uFEFF${secret}\r\n`), Buffer.from(`\uFEFF${secret}\r\n`, 'utf16le')]) {
      writeFileSync(path, bytes);
      expect(readSecretFile(path)).toEqual({ outcome: 'read', secret: new Uint8Array(Buffer.from(secret, 'hex')) });
    }
  });

  it('is not replaced if it exists; its secret is used', () => {
    const first = makeSecretFile(path);
    expect(makeSecretFile(path)).toEqual(first);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it('gives the same secret to all processes that create it concurrently', async () => {
    const module = new URL('../../dist/settings/secret-file.js', import.meta.url).href;
    const program = `const { makeSecretFile } = await import(${JSON.stringify(module)});
      process.stdout.write(Buffer.from(makeSecretFile(${JSON.stringify(path)}).secret).toString('hex'));`;
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', program]));
    const secrets = await Promise.all(children.map(async (child) => {
      const [secret] = await Promise.all([text(child.stdout), once(child, 'close')]);
      return secret;
    }));
    expect(new Set(secrets)).toEqual(new Set([readFileSync(path, 'utf8').trim()]));
  });

  it('may contain a secret in hexadecimal, base64 or base64url', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    for (const written of [bytes.toString('hex'), `${bytes.toString('hex').toUpperCase()}\n`, bytes.toString('base64'), `  ${bytes.toString('base64url')}\r\n`]) {
      writeFileSync(path, written);
      expect(readSecretFile(path)).toEqual({ outcome: 'read', secret: new Uint8Array(bytes) });
    }
  });

  it.each(['', 'hunter2', Buffer.alloc(31, 1).toString('hex'), 'correct horse battery staple, said the ox', 'é'.repeat(64), 'a'.repeat(1_025)])('that contains %j is refused with an error that does not quote the content', (written) => {
    writeFileSync(path, written);
    expect(readSecretFile(path)).toEqual({
      outcome: 'unusable',
      problem: `the file ${path} must be at least 32 random bytes in hexadecimal or base64, such as \`openssl rand -hex 32\` prints`,
    });
  });

  it('is named in the error, with the reason, if it cannot be read or created', () => {
    expect(readSecretFile(folder)).toEqual({ outcome: 'unusable', problem: `the file ${folder} cannot be read: EISDIR: illegal operation on a directory, read` });
    expect(makeSecretFile(join(folder, 'none', 'secret'))).toMatchObject({ outcome: 'unusable', problem: expect.stringContaining(`${join(folder, 'none', 'secret')} cannot be created: ENOENT`) });
  });
});
