import { expect, it } from '@jest/globals';
import { MAIL_BOUNDS, mailRoomFor, type WaitingMails } from './mail-bounds.js';
import type { MailRank } from './mail.js';

const NONE: WaitingMails = { operators: 0, verified: 0, unverified: 0, ofRecipient: 0, unverifiedOfDomain: 0 };

it.each<readonly [MailRank, Partial<WaitingMails>, Partial<WaitingMails>, 'full' | 'dropped']>([
  ['operator', { operators: 999, verified: 9000 }, { operators: 1000 }, 'full'],
  ['verified', { verified: 7999, unverified: 1000 }, { verified: 8000 }, 'full'],
  ['verified', { verified: 8999, operators: 1000 }, { verified: 9000, operators: 0 }, 'full'],
  ['verified', { verified: 7999, ofRecipient: 1 }, { verified: 8000 }, 'full'],
  ['unverified', { unverified: 999, unverifiedOfDomain: 9 }, { unverified: 1000 }, 'dropped'],
  ['unverified', { unverified: 749, unverifiedOfDomain: 10 }, { unverified: 750 }, 'dropped'],
  ['unverified', { unverified: 600, unverifiedOfDomain: 249 }, { unverifiedOfDomain: 250 }, 'dropped'],
  ['unverified', { verified: 8999 }, { verified: 9000 }, 'dropped'],
])('mail of the rank %s is stored while %j wait, and refused once %j wait too', (rank, below, at, refusal) => {
  expect(mailRoomFor(rank, { ...NONE, ...below }, MAIL_BOUNDS)).toBe('room');
  expect(mailRoomFor(rank, { ...NONE, ...below, ...at }, MAIL_BOUNDS)).toBe(refusal);
});
