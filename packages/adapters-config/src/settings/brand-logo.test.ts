import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readBrandLogo } from './brand-logo.js';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=', 'base64');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-logo-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function read(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'logo');
  writeFileSync(path, content);
  const reading = await readBrandLogo(path);
  return 'problem' in reading ? reading.problem.replace(path, 'LOGO') : `${reading.logo.mediaType} ${reading.logo.mediaType === 'image/png' ? reading.logo.bytes.length : Buffer.from(reading.logo.bytes).toString('utf8')}`;
}

it('a logo in PNG is used unchanged', async () => {
  expect(await read(PNG)).toBe(`image/png ${PNG.length}`);
});

describe('a logo in SVG', () => {
  it('keeps its drawing elements and the letter case of their names', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><defs><linearGradient id="a" gradientUnits="userSpaceOnUse"><stop offset="1" stop-color="#f00"></stop></linearGradient></defs><path d="M0 0h8v8z" fill="url(#a)"></path><use href="#a"></use></svg>';
    expect(await read(`<?xml version="1.0"?>\n${drawing}\n`)).toBe(`image/svg+xml ${drawing}`);
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a handler', '<path onload="alert(1)" d="M0 0" />'],
    ['a foreign object', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" /></body></foreignObject>'],
    ['a style sheet', '<style>@import url("https://tracker.example/x.css");</style>'],
    ['a picture from elsewhere', '<image href="https://tracker.example/x.png" />'],
    ['a reference to another file', '<use href="https://tracker.example/x.svg#a" />'],
    ['a link', '<a href="javascript:alert(1)"><path d="M0 0" /></a>'],
    ['an animation of a link', '<animate attributeName="href" values="javascript:alert(1)" />'],
  ])('loses %s', async (_name, part) => {
    const kept = await read(`<svg xmlns="http://www.w3.org/2000/svg">${part}<circle r="1" /></svg>`);
    expect(kept).toContain('<circle r="1"></circle>');
    expect(kept.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/script|alert|onload|tracker|foreign|<style|<image|<a |animate|http/);
  });
});

it.each([['an empty file', ''], ['a text', 'logo'], ['a page', '<html><body>logo</body></html>']])('%s is refused as a logo', async (_name, content) => {
  expect(await read(content)).toBe('the file LOGO is neither SVG nor PNG');
});

it('a logo of more than 64 KiB is refused', async () => {
  expect(await read(Buffer.concat([PNG, Buffer.alloc(65_536)]))).toBe('the file LOGO has more than 64 KiB');
});

it('a missing logo is reported', async () => {
  expect(await readBrandLogo(join(folder, 'none'))).toEqual({ problem: expect.stringContaining('cannot be read: ENOENT') });
});
