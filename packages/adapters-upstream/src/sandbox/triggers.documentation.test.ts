import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TRIGGER_NAMES } from './triggers.js';

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');

describe('docs/sandbox.md', () => {
  it('lists every trigger, and no other', () => {
    const listed = [...page.matchAll(/^\| `\[\[([a-z]+)/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(TRIGGER_NAMES);
  });
});
