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

it('the problem reported for an issuer’s reply that is not JSON does not contain the reply', () => {
  expect(String(parseFailure().cause)).toContain('alice');
  expect(issuerProblemOf(parseFailure(), ISSUER)).toBe('failed to parse "response" body as JSON');
});

it('the problem reported for a failed connection contains the message of the operating system', () => {
  expect(issuerProblemOf(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }), ISSUER)).toBe('connect ECONNREFUSED 127.0.0.1:1');
});
