import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { UrlWebhookTargets } from '@tollgate/adapters-node';
import { type AccountId, instant, type WebhookAttempt } from '@tollgate/core';
import { LOCALHOST_CERTIFICATE } from '@tollgate/testkit/mail-server';
import { WebhookReceiver } from '../test-support/webhook-receiver.js';
import type { ResolveName } from './checked-lookup.js';
import { WebhookSender } from './webhook-sender.js';

const OWNER = 'acct_1' as AccountId;
const MESSAGE = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: 'evt_1', type: 'webhook.test', account_id: OWNER, account_sequence: null }) };
const NOT_PUBLIC = 'the name resolves to an address that is not public';

/** Hosts of URLs, by the trick that they try. */
const HOSTILE_HOSTS = {
  'this machine': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
  'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '[fd00:ec2::254]', '[fc00::1]'],
  'link-local, metadata': ['169.254.169.254', '169.254.170.2', '[fe80::1]'],
  'shared by a carrier': ['100.64.0.1', '100.100.100.200', '100.127.255.254'],
  'multicast, broadcast, reserved': ['224.0.0.1', '240.0.0.1', '255.255.255.255', '[ff02::1]'],
  'documentation, benchmarks': ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]'],
  'mapped or compatible IPv6': ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[0:0:0:0:0:ffff:10.0.0.1]', '[::127.0.0.1]'],
  '6to4, Teredo, NAT64': ['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:7f00:1::1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]'],
  'one number': ['2130706433', '167772161', '2852039166', '0'],
  octal: ['0177.0.0.1', '017700000001', '0300.0250.0.1', '0251.0376.0251.0376'],
  hexadecimal: ['0x7f000001', '0x7f.0.0.1', '0xa9fea9fe', '0xC0A80001'],
  'short forms': ['127.1', '127.0.1', '10.1', '192.168.1', '169.254.43518', '0x7f.1'],
  'final dots': ['127.0.0.1.', '10.0.0.1.', 'localhost.', 'db.internal.'],
  'digits and dots of other scripts': ['１２７.0.0.1', '①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '127。0。0。1', '169．254．169．254'],
  'escapes': ['%31%32%37.0.0.1', '%6c%6f%63%61%6c%68%6f%73%74', '127.0.0.%31'],
  'user names': ['8.8.8.8@127.0.0.1', 'shop.example.com@10.0.0.1', 'shop.example.com:x@[::1]', 'shop.example.com%2f@127.0.0.1'],
  'another host than it seems': ['127.0.0.1\\@shop.example.com', '127.0.0.1/@shop.example.com', '127.0.0.1?@shop.example.com', '12\t7.0.0.1'],
  'local names': ['localhost', 'LOCALHOST', 'a.localhost', 'db', 'printer.local', 'metadata.google.internal', 'gateway.lan'],
} as const;

/** Answers of the name server of a public name; each answer is a list of addresses. */
const HOSTILE_ANSWERS = {
  'this machine': [['127.0.0.1'], ['0.0.0.0'], ['::1'], ['::']],
  'private networks': [['10.0.0.1'], ['172.16.0.1'], ['192.168.0.1'], ['fd00::1']],
  'link-local, metadata': [['169.254.169.254'], ['fe80::1']],
  'shared by a carrier': [['100.64.0.1']],
  'multicast, reserved': [['224.0.0.1'], ['240.0.0.1'], ['ff02::1']],
  'IPv6 that embeds IPv4': [['::ffff:127.0.0.1'], ['::ffff:8.8.8.8'], ['::127.0.0.1'], ['2002:7f00:1::'], ['64:ff9b::7f00:1']],
  'one of several': [['1.1.1.1', '127.0.0.1'], ['127.0.0.1', '1.1.1.1'], ['2606:4700::1111', '::1']],
} as const;

const REDIRECTS = [301, 302, 303, 307, 308] as const;

let receiver: WebhookReceiver;
let other: WebhookReceiver;

beforeAll(async () => {
  [receiver, other] = [await WebhookReceiver.start('https'), await WebhookReceiver.start('https')];
});
afterAll(async () => {
  await receiver.close();
  await other.close();
});
beforeEach(() => {
  receiver.connections = 0;
});

const answering = (addresses: readonly string[]): ResolveName => () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

/** The sender's result for one message. `permitted`: networks of the operators. */
async function attempt(url: string, resolve: ResolveName, permitted: readonly string[] = []): Promise<WebhookAttempt | null> {
  const targets = new UrlWebhookTargets(permitted);
  const connections = new WebhookSender({ targets, resolve, clock: new ManualClock(instant(0)), ca: LOCALHOST_CERTIFICATE }).open({ url, owner: OWNER });
  try {
    return await connections.send(MESSAGE, new AbortController().signal);
  } finally {
    connections.close();
  }
}

it('an owner’s webhook to a host outside the public internet is refused at its creation, and at each delivery', async () => {
  const targets = new UrlWebhookTargets([]);
  const hosts = Object.values(HOSTILE_HOSTS).flat();
  const faults: string[] = [];
  for (const url of hosts.flatMap((host) => [`https://${host}/hook`, `https://${host}:${receiver.port}/hook`])) {
    if (targets.problemOf(url, OWNER) === null) faults.push(`${url} can be created`);
    const failure = URL.canParse(url) ? (await attempt(url, answering(['127.0.0.1'])))?.failure : 'url: no address';
    if (failure?.startsWith('url: ') !== true) faults.push(`${url} is delivered to: ${String(failure)}`);
  }
  expect(faults).toEqual([]);
  expect([new Set(hosts).size, receiver.connections]).toEqual([82, 0]);
});

it('nothing is sent to an owner’s webhook whose public name resolves to an address that is not public', async () => {
  const url = `https://hook.example.com:${receiver.port}/hook`;
  expect(new UrlWebhookTargets([]).problemOf(url, OWNER)).toBeNull();
  const answers = Object.values(HOSTILE_ANSWERS).flat();
  const failures: unknown[] = [];
  for (const addresses of answers) failures.push([addresses, (await attempt(url, answering(addresses)))?.failure]);
  expect(failures).toEqual(answers.map((addresses) => [addresses, NOT_PUBLIC]));
  expect([answers.length, receiver.connections]).toEqual([22, 0]);
});

it('an event is sent to the address that was checked, even if the webhook’s name resolves to another one later', async () => {
  let lookups = 0;
  const rebinding: ResolveName = () => {
    lookups += 1;
    return answering([lookups === 1 ? '127.0.0.1' : '10.0.0.1'])('');
  };
  const reached = await attempt(receiver.url, rebinding, ['127.0.0.0/8']);
  expect([reached?.failure, receiver.connections, lookups]).toEqual([null, 1, 1]);
  const refused = await attempt(receiver.url, rebinding, ['127.0.0.0/8']);
  expect([refused?.failure, receiver.connections, lookups]).toEqual([NOT_PUBLIC, 1, 2]);
});

it.each(REDIRECTS)('a redirect of a webhook with status %d is not followed', async (status) => {
  receiver.answering = (_received, res) => void res.writeHead(status, { location: other.url }).end();
  const answered = await attempt(receiver.url, answering(['127.0.0.1']), ['127.0.0.0/8']);
  expect([answered?.failure, other.connections]).toEqual([`answered ${status}; redirects are not followed`, 0]);
});
