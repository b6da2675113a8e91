import { expect, it } from '@jest/globals';
import { mailboxHashesOf } from './mailbox-hashes.js';

it('the hashes of a mailbox are the same for all its addresses, one per key', () => {
  const hashes = { of: (email: string) => [`new ${email}`, `old ${email}`] };
  expect(mailboxHashesOf('A.Lice+tag@GoogleMail.com', hashes)).toEqual(['new alice@gmail.com', 'old alice@gmail.com']);
  expect(mailboxHashesOf('alice@gmail.com', { of: (email) => [email, email] })).toEqual(['alice@gmail.com']);
});
