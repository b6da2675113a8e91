import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REFUSAL_CODES, TRIGGER_NAMES } from './plan-reply.js';

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');

describe('docs/sandbox.md', () => {
  it('lists every trigger, and no other', () => {
    const listed = [...page.matchAll(/^\| `\[\[([a-z]+)/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(TRIGGER_NAMES);
  });

  it('lists every code that can be refused with, and no other', () => {
    const section = page.slice(page.indexOf('## Codes'), page.indexOf('A simulated refusal'));
    expect([...section.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code)).toEqual([...REFUSAL_CODES]);
  });
});
