import { expect, it } from '@jest/globals';
import { codeOf } from './credentials.js';

// The values are those of RFC 6238, appendix B, for SHA-1, without the first two of their eight digits.
it.each([[59, '287082'], [1_111_111_109, '081804'], [1_234_567_890, '005924'], [20_000_000_000, '353130']])('the one-time code at %i s is that of RFC 6238', (seconds, code) => {
  expect(codeOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', seconds * 1_000)).toBe(code);
});
