import { expect, it } from '@jest/globals';
import { issuerProblemOf } from './issuer-problems.js';

const ISSUER = 'https://issuer.example';

/** The error of a parser, whose message repeats what it read. */
function parseFailure(): Error {
  try {
    return JSON.parse('alice@example.test') as Error;
  } catch (cause) {
    return new Error('failed to parse "response" body as JSON', { cause });
  }
}

it('does not echo a reply that is not JSON', () => {
  expect(String(parseFailure().cause)).toContain('alice');
  expect(issuerProblemOf(parseFailure(), ISSUER)).toBe('failed to parse "response" body as JSON');
});

it('reports the system’s message for a failed connection', () => {
  expect(issuerProblemOf(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }), ISSUER)).toBe('connect ECONNREFUSED 127.0.0.1:1');
});
