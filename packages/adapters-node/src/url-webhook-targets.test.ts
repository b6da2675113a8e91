import type { AccountId } from '@tollgate/core';
import { expect, it } from '@jest/globals';
import { UrlWebhookTargets } from './url-webhook-targets.js';

const OWNER = 'acct_1' as AccountId;
const HOSTILE_HOSTS = [
  '127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '0x7F.1', '0', '0.0.0.0', '0x0', '10.0.0.1', '10.1', '167772161',
  '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '0xc0a80001', '169.254.169.254', '2852039166', '0xa9fea9fe', '169.254.43518', '100.64.0.1', '198.18.0.1', '224.0.0.1',
  '240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]', '[fe80::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', 'localhost', 'LOCALHOST', 'db', 'a.localhost', 'localhost.', 'printer.local', 'metadata.google.internal',
  '１２７.0.0.1', '127。0。0。1',
];

it('webhooks of owners cannot have a host outside the public internet, however its address is written', () => {
  const targets = new UrlWebhookTargets([]);
  expect(HOSTILE_HOSTS.filter((host) => targets.problemOf(`https://${host}/hook`, OWNER) === null)).toEqual([]);
  expect(HOSTILE_HOSTS.length).toBeGreaterThanOrEqual(40);
});

it.each([
  ['http://shop.example.com/hook', 'must be an https:// address'], ['ftp://shop.example.com/', 'must be an https:// address'], ['javascript:alert(1)', 'must be an https:// address'],
  ['shop.example.com', 'must be an https:// address'], ['https://user:word@shop.example.com/', 'must have no user name and no password'],
  ['https://shop.example.com/#part', 'must have no part after #'], ['https://10.0.0.1/', 'must be a public address on the internet'],
])('an owner’s webhook to %s is refused', (url, problem) => {
  expect(new UrlWebhookTargets([]).problemOf(url, OWNER)).toBe(problem);
});

it('webhooks can have public addresses and names, with any port', () => {
  const urls = ['https://shop.example.com/hook', 'https://shop.example.com:8443/hook?shop=7', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'];
  expect(urls.map((url) => new UrlWebhookTargets([]).problemOf(url, OWNER))).toEqual([null, null, null, null]);
});

it('webhooks of owners can have addresses in networks that the operators permit, but only with https', () => {
  const targets = new UrlWebhookTargets(['10.2.0.0/16']);
  expect(['https://10.2.3.4/', 'https://shop/', 'https://10.3.3.4/', 'http://10.2.3.4/'].map((url) => targets.problemOf(url, OWNER) === null)).toEqual([true, true, false, false]);
});

it('webhooks of operators can have http and addresses in private networks', () => {
  const targets = new UrlWebhookTargets([]);
  expect(['http://127.0.0.1:3000/hook', 'http://shop:3000/', 'https://user@shop/', 'file:///etc/passwd'].map((url) => targets.problemOf(url, null) === null)).toEqual([true, true, false, false]);
});
