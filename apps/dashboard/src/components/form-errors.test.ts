import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../api/api-error.js';
import { Problem } from '../api/problem.js';
import { fieldErrors, needsNewSession, problemOf, sentenceOf } from './form-errors.js';

function refusal(message: string, param: string | null = null, retryAfter: number | null = null): ApiError {
  return new ApiError({ status: 400, code: 'invalid_request', message, param, requestId: null, retryAfter });
}

describe('errors of forms', () => {
  it('are shown in the field that the gateway names, as a sentence', () => {
    const error = refusal('new_password: must have at least 8 characters.', 'new_password');
    expect(fieldErrors(error, { new_password: 'next' })).toEqual({ next: 'Must have at least 8 characters.' });
    expect(problemOf(error, { new_password: 'next' })).toBeNull();
  });

  it('are shown in the field whose part is named', () => {
    expect(fieldErrors(refusal('spending_limit.svc_tokens: must be more than zero.', 'spending_limit.svc_tokens'), ['spending_limit'])).toEqual({ spending_limit: 'Must be more than zero.' });
    expect(fieldErrors(refusal('models[2]: is not known.', 'models[2]'), ['models'])).toEqual({ models: 'This is not known.' });
  });

  it('are shown in a note if no field of the form is named', () => {
    expect(fieldErrors(refusal('name: must not be empty.', 'name'), ['email'])).toEqual({});
    expect(problemOf(refusal('name: must not be empty.', 'name'), ['email'])).toBe('Must not be empty.');
    expect(problemOf(refusal('This passkey is already registered.'))).toBe('This passkey is already registered.');
    expect(problemOf(null)).toBeNull();
  });

  it('state when to retry', () => {
    expect(problemOf(refusal('Too many attempts.', null, 1))).toBe('Too many attempts. Try again in 1 second.');
    expect(problemOf(refusal('Too many attempts.', null, 900))).toBe('Too many attempts. Try again in 15 minutes.');
  });

  it('show the browser’s own message for its failures, and none for an error in the page', () => {
    expect(problemOf(new Problem('This browser does not support passkeys.'))).toBe('This browser does not support passkeys.');
    expect(problemOf(new TypeError('x is undefined'))).toBe('Something went wrong on this page. Reload it and try again.');
  });

  it('offer sign-in if the session ended elsewhere, and show the gateway’s reason if the form proves the person', () => {
    const ended = new ApiError({ status: 401, code: 'not_signed_in', message: 'Too many wrong codes. Sign in again.', param: null, requestId: null, retryAfter: null });
    expect(needsNewSession(ended, false)).toBe(true);
    expect(needsNewSession(ended, true)).toBe(false);
    expect(problemOf(ended)).toBe('Too many wrong codes. Sign in again.');
    expect(needsNewSession(refusal('This passkey is already registered.'), false)).toBe(false);
  });

  it('keep sentences that do not begin with a field', () => {
    expect(sentenceOf('The last operator: cannot be removed.')).toBe('The last operator: cannot be removed.');
  });
});
