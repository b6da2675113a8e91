import { describe, expect, it } from '@jest/globals';
import { anAccount } from '@tollgate/testkit';
import { type AccountStatus, standingOf } from './account.js';

describe('the standing of an account', () => {
  it.each<readonly [status: AccountStatus, blocked: boolean, emailVerified: boolean, standing: string]>([
    ['active', false, true, 'good'],
    ['active', false, false, 'email-unverified'],
    ['active', true, true, 'blocked'],
    ['active', true, false, 'blocked'],
    ['suspended', false, true, 'suspended'],
    ['suspended', false, false, 'suspended'],
    ['suspended', true, true, 'blocked'],
    ['pending-deletion', false, true, 'pending-deletion'],
    ['pending-deletion', false, false, 'pending-deletion'],
    ['pending-deletion', true, false, 'blocked'],
    ['deleted', false, true, 'deleted'],
    ['deleted', true, false, 'deleted'],
  ])('%s, blocked %s, verified %s: %s', (status, blocked, emailVerified, standing) => {
    expect(standingOf(anAccount({ status, blocked, emailVerified }))).toBe(standing);
  });
});
