import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { later } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import { MAIL_LIFETIME_MILLISECONDS, nextAttemptAt, type StoredMail } from './mail.js';

describe('nextAttemptAt', () => {
  const start = new ManualClock().now();
  const mail: StoredMail = {
    kind: 'test', accountId: null, to: 'ada@example.test', rank: 'verified', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', reference: 'greeting 1',
    id: 'mail_1' as MailId, storedAt: start, expiresAt: later(start, MAIL_LIFETIME_MILLISECONDS),
  };

  it('doubles the delays from half a minute to an hour', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 2000].map((attempt) => (nextAttemptAt(mail, attempt, start) ?? start) - start);
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600].map((seconds) => seconds * 1000));
  });

  it('allows no attempt that would be due when the message has expired', () => {
    expect(nextAttemptAt(mail, 1, later(mail.expiresAt, -30_001))).toBe(later(mail.expiresAt, -1));
    expect(nextAttemptAt(mail, 1, later(mail.expiresAt, -30_000))).toBeNull();
  });

  it('allows thirty attempts', () => {
    let [at, attempts] = [start, 1];
    for (let next = nextAttemptAt(mail, attempts, at); next !== null; next = nextAttemptAt(mail, attempts, at)) [at, attempts] = [next, attempts + 1];
    expect(attempts).toBe(30);
  });
});
