import { expect, it } from '@jest/globals';
import { mailFailureReason, type MailFailureReason } from './mail-failure-reason.js';

it.each<[string, MailFailureReason]>([
  ['ECONNREFUSED', 'unreachable'], ['ENOTFOUND', 'unreachable'], ['ETIMEDOUT', 'timed-out'], ['ETLS', 'encryption'], ['ERR_SSL_WRONG_VERSION_NUMBER', 'encryption'], ['CERT_HAS_EXPIRED', 'encryption'],
  ['535', 'credentials'], ['535 5.7.8', 'credentials'], ['530 5.7.0', 'policy'], ['553', 'sender'], ['550 5.1.8', 'sender'], ['550', 'no-such-address'], ['550 5.1.1', 'no-such-address'],
  ['552 5.2.2', 'mailbox-full'], ['452', 'mailbox-full'], ['552 5.3.4', 'too-large'], ['550 5.7.1', 'policy'], ['421', 'try-later'], ['451 4.3.0', 'try-later'], ['554', 'refused'],
  ['554 5.6.0', 'refused'], ['expired', 'expired'], ['ENOSPC', 'file'], ['unknown', 'other'], ['toString', 'other'], ['5501', 'other'],
])('the reason of the code %s is %s', (code, reason) => {
  expect(mailFailureReason(code)).toBe(reason);
});
