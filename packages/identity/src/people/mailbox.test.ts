import { expect, it } from '@jest/globals';
import { mailboxNameOf } from './mailbox.js';

it.each([
  ['a.da+credit@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['ada+1@outlook.com', 'ada@outlook.com'],
  ['ada+1@hotmail.com', 'ada@hotmail.com'],
  ['ada+1@live.com', 'ada@live.com'],
  ['ada+1@me.com', 'ada@icloud.com'],
  ['ada@mac.com', 'ada@icloud.com'],
  ['ada-shop@yahoo.com', 'ada@yahoo.com'],
  ['ada-shop+1@yahoo.co.uk', 'ada@yahoo.co.uk'],
  ['shop@ada.fastmail.com', 'ada@fastmail.com'],
  ['ada+1@fastmail.fm', 'ada@fastmail.com'],
  ['a-d.a_+x@pm.me', 'ada@proton.me'],
  ['ada@protonmail.com', 'ada@proton.me'],
  ['a-da@ya.ru', 'ada@yandex.ru'],
  ['ada+1@example.test', 'ada@example.test'],
])('%s is delivered to the mailbox %s', (email, mailbox) => {
  expect(mailboxNameOf(email)).toBe(mailbox);
});

it.each(['a.da@example.test', 'a.da@outlook.com', 'ada-lovelace@example.test', '+ada@example.test', '...@gmail.com', '-ada@yahoo.com', 'ada@notgmail.com', 'ada@yahoo.example.test'])('%s is its own mailbox', (email) => {
  expect(mailboxNameOf(email)).toBe(email);
});
