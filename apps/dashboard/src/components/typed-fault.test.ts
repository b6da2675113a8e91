import { expect, it } from '@jest/globals';
import { blankFault, emailFault, newPasswordFault } from './typed-fault.js';

it('a typed mail address has a fault if it is not well formed', () => {
  expect(['ada@example.com', ' ada@example.com ', 'root@localhost', 'ada@münchen.example'].map(emailFault)).toEqual([null, null, null, null]);
  const asked = 'Enter an e-mail address, such as name@example.com.';
  expect(['ada', '@example.com', 'ada@', 'a b@example.com', 'ada@example..com', 'ada@example.com.'].map(emailFault)).toEqual(Array(6).fill(asked));
});

it('blank fields, and passwords of fewer than eight characters as the gateway counts them, have a fault', () => {
  expect([blankFault(' '), emailFault(''), newPasswordFault('')]).toEqual(Array(3).fill('This field is required.'));
  expect(['1234567', '\u{1f511}'.repeat(7), 'ｆｆｉﬃ'].map(newPasswordFault)).toEqual(Array(3).fill('Enter at least 8 characters.'));
  expect([newPasswordFault('12345678'), newPasswordFault('\u{1f511}'.repeat(8))]).toEqual([null, null]);
});
