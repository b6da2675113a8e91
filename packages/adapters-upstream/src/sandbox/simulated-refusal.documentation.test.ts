import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REFUSAL_CODES } from './simulated-refusal.js';

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');

describe('docs/sandbox.md', () => {
  it('lists every possible refusal code, and no other', () => {
    const section = page.slice(page.indexOf('## Codes'), page.indexOf('A simulated refusal'));
    expect([...section.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code)).toEqual([...REFUSAL_CODES]);
  });
});
