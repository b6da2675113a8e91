import { expect, it } from '@jest/globals';
import { refusals } from '../texts/en/refusals';
import { causeOf } from './refusal-cause';

it('every refusal that a person can resolve has a cause', () => {
  const without = Object.keys(refusals.reasons).filter((code) => causeOf(code) === null);
  expect(without).toEqual(['payload_too_large', 'unsupported_media_type', 'invalid_request', 'idempotency_conflict', 'server_busy', 'service_unavailable', 'internal_error']);
});

it('an unknown code has no cause', () => {
  expect(causeOf('code_of_a_later_release')).toBeNull();
});
