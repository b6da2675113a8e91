import { expect, test } from '@jest/globals';
import { MEDIUM_TOKENS, smallAndMediumRequests, smallRequests } from './model-attacks.js';

/** Limits per minute of the plan `business`, which the other customer has. */
const PLAN = { requests: 3_000, tokens: 15_000_000 };
const MEDIUM_CHARACTERS = 50_000;
const SMALL_TOKENS = 100;
const SECONDS = 60;

test.each([['small', smallRequests], ['small and medium', smallAndMediumRequests]] as const)('a minute of %s requests stays within the plan limits of the customer that is not attacking', (_sizes, loadOf) => {
  const { requestsPerSecond, bodies } = loadOf({ customers: { attackerKey: 'attacker', victimKey: 'victim' } });
  const requests = (requestsPerSecond ?? Infinity) * SECONDS;
  const tokens = bodies.reduce((sum, { length }) => sum + (length > MEDIUM_CHARACTERS ? MEDIUM_TOKENS : SMALL_TOKENS), 0);
  expect(requests).toBeLessThanOrEqual(PLAN.requests);
  expect((requests / bodies.length) * tokens).toBeLessThanOrEqual(PLAN.tokens);
});
