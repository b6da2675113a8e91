import { describe, expect, it } from '@jest/globals';
import { anAccount } from '@tollgate/testkit';
import { type AccountStanding, type AccountStatus, CONDITIONS_OF_STANDING, standingOf } from './account.js';

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
  ])('with the status %s, blocked %s and verified %s is %s', (status, blocked, emailVerified, standing) => {
    expect(standingOf(anAccount({ status, blocked, emailVerified }))).toBe(standing);
  });

  it.each(Object.entries(CONDITIONS_OF_STANDING) as [AccountStanding, (typeof CONDITIONS_OF_STANDING)[AccountStanding]][])('is %s exactly under the conditions that CONDITIONS_OF_STANDING lists for it', (standing, { statuses, blocked, emailVerified }) => {
    for (const status of ['active', 'suspended', 'pending-deletion', 'deleted'] as const) {
      for (const facts of [[false, false], [false, true], [true, false], [true, true]] as const) {
        const meets = statuses.includes(status) && (blocked ?? facts[0]) === facts[0] && (emailVerified ?? facts[1]) === facts[1];
        expect([status, ...facts, standingOf({ status, blocked: facts[0], emailVerified: facts[1], deletion: null }) === standing]).toEqual([status, ...facts, meets]);
      }
    }
  });
});
