import { expect, it } from '@jest/globals';
import { mailboxHashesOf } from './mailbox-hashes.js';

it('all addresses of a mailbox have the same hashes: one under each key, without repetition', () => {
  const hashes = { of: (email: string) => [`new ${email}`, `old ${email}`] };
  expect(mailboxHashesOf('A.Lice+tag@GoogleMail.com', hashes)).toEqual(['new alice@gmail.com', 'old alice@gmail.com']);
  expect(mailboxHashesOf('alice@gmail.com', { of: (email) => [email, email] })).toEqual(['alice@gmail.com']);
});
