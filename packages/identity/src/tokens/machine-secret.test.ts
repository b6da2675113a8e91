import { expect, it } from '@jest/globals';
import { MachineSecret } from './machine-secret.js';

const TEXT = `tgm_${'aB3'.repeat(16)}`;

it('a machine’s secret is only revealed by reveal()', () => {
  const secret = MachineSecret.parse(TEXT);
  expect(secret?.reveal()).toBe(TEXT);
  expect([String(secret), JSON.stringify({ secret }), secret?.hint()]).toEqual(['tgm_[redacted]', '{"secret":"tgm_[redacted]"}', 'tgm_aB…3aB3']);
});

it.each(['', 'tgm_', TEXT.slice(1), TEXT.slice(0, -1), `${TEXT}x`, `${TEXT}\n`, TEXT.replace('a', '-'), `sk-${'a'.repeat(48)}`])('%j is not a machine’s secret', (text) => {
  expect(MachineSecret.parse(text)).toBeNull();
});
