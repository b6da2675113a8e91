import { expect, it } from '@jest/globals';
import { refusals } from '../texts/en/refusals';
import { causeOf } from './refusal-cause';

it('knows a cause for every refusal that a person can end', () => {
  const without = Object.keys(refusals.reasons).filter((code) => causeOf(code) === null);
  expect(without).toEqual(['payload_too_large', 'unsupported_media_type', 'invalid_request', 'idempotency_conflict', 'server_busy', 'service_unavailable', 'internal_error']);
});

it('knows no cause for an unknown code', () => {
  expect(causeOf('code_of_a_later_release')).toBeNull();
});
