import { expect, it } from '@jest/globals';
import { openActs } from './open-acts.js';

const GOOD = { status: 'active', blocked: false, email_verified: true, person: null } as const;

it('an account has the acts that its state permits', () => {
  expect(openActs(GOOD)).toEqual(['suspend', 'block', 'schedule', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'suspended', blocked: true, email_verified: false })).toEqual(['reactivate', 'unblock', 'verify', 'schedule', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'pending-deletion' })).toEqual(['cancelDeletion', 'block', 'deleteNow']);
  expect(openActs({ ...GOOD, status: 'deleted' })).toEqual([]);
});

it('an account without sessions has no act that ends them', () => {
  expect(openActs({ ...GOOD, person: { sessions: 2 } })).toContain('endSessions');
  expect(openActs({ ...GOOD, person: { sessions: 0 } })).not.toContain('endSessions');
});
