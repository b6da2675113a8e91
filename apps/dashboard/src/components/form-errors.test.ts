import { describe, expect, it } from '@jest/globals';
import { ApiError, type Fault } from '../api/api-error.js';
import { Problem } from '../api/problem.js';
import { fieldErrors, needsNewSession, problemOf } from './form-errors.js';

function refusal(message: string, faults: readonly Fault[] = [], retryAfter: number | null = null): ApiError {
  return new ApiError({ status: 400, code: 'invalid_request', message, faults, requestId: null, retryAfter });
}

describe('errors of forms', () => {
  it('are shown in every field that the gateway names', () => {
    const error = refusal('…', [{ field: 'new_password', text: 'Enter at least 8 characters.' }, { field: 'current_password', text: 'This is not your password.' }]);
    expect(fieldErrors(error, { new_password: 'next', current_password: 'current' })).toEqual({ next: 'Enter at least 8 characters.', current: 'This is not your password.' });
    expect(problemOf(error, { new_password: 'next', current_password: 'current' })).toBeNull();
  });

  it('are shown in the field that contains the named part; of several in one field, only the first', () => {
    const error = refusal('…', [{ field: 'models[2]', text: 'First.' }, { field: 'models[4]', text: 'Second.' }, { field: 'spending_limit.svc_tokens', text: 'Enter an amount above zero.' }]);
    expect(fieldErrors(error, ['models', 'spending_limit'])).toEqual({ models: 'First.', spending_limit: 'Enter an amount above zero.' });
  });

  it('are shown beside the fields of the form, and above the form if it lacks the field', () => {
    const error = refusal('…', [{ field: 'name', text: 'First.' }, { field: 'email', text: 'Second.' }, { field: 'plan', text: 'Third.' }]);
    expect(fieldErrors(error, ['email'])).toEqual({ email: 'Second.' });
    expect(problemOf(error, ['email'])).toBe('First. Third.');
    expect(problemOf(refusal('This passkey is already registered.'))).toBe('This passkey is already registered.');
    expect(problemOf(null)).toBeNull();
  });

  it('state when to retry', () => {
    expect(problemOf(refusal('Too many attempts.', [], 1))).toBe('Too many attempts. Try again in 1 second.');
    expect(problemOf(refusal('Too many attempts.', [], 900))).toBe('Too many attempts. Try again in 15 minutes.');
  });

  it('state what the browser lacks, and advise a reload after a bug of the page', () => {
    expect(problemOf(new Problem('This browser does not support passkeys.'))).toBe('This browser does not support passkeys.');
    expect(problemOf(new TypeError('x is undefined'))).toBe('Something went wrong on this page. Reload it and try again.');
  });

  it('offer a new sign-in if the session has ended, except in a form that verifies a proof of identity', () => {
    const ended = new ApiError({ status: 401, code: 'not_signed_in', message: 'Too many wrong codes. Sign in again.', faults: [], requestId: null, retryAfter: null });
    expect(needsNewSession(ended, false)).toBe(true);
    expect(needsNewSession(ended, true)).toBe(false);
    expect(problemOf(ended)).toBe('Too many wrong codes. Sign in again.');
    expect(needsNewSession(refusal('This passkey is already registered.'), false)).toBe(false);
  });
});
