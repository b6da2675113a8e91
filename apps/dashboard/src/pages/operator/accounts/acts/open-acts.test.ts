import { expect, it } from '@jest/globals';
import { openActs } from './open-acts.js';

const GOOD = { status: 'active', blocked: false, email_verified: true, person: null } as const;

it('offers the acts that an account’s state permits', () => {
  expect(openActs(GOOD)).toEqual(['suspend', 'block', 'schedule', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'suspended', blocked: true, email_verified: false })).toEqual(['reactivate', 'unblock', 'verify', 'schedule', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'pending-deletion' })).toEqual(['cancelDeletion', 'block', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'deleted' })).toEqual([]);
});

it('offers to end sessions only if there are any', () => {
  expect(openActs({ ...GOOD, person: { sessions: 2 } })).toContain('endSessions');
  expect(openActs({ ...GOOD, person: { sessions: 0 } })).not.toContain('endSessions');
});
