import { expect, it } from '@jest/globals';
import { mailDomainOf } from './mail-domain.js';

it.each([
  ['the registered domain', 'ada@example.com', 'example.com'],
  ['the registered domain of a name below it', 'ada@a.b.c.Example.COM', 'example.com'],
  ['a name below a suffix of two labels', 'ada@mail.example.co.uk', 'example.co.uk'],
  ['a name below a suffix of a city', 'ada@mail.example.city.kawasaki.jp', 'city.kawasaki.jp'],
  ['the provider of a host', 'ada@mail.someone.duckdns.org', 'duckdns.org'],
  ['the provider of pages', 'ada@someone.github.io', 'github.io'],
  ['a name below a suffix that no list has', 'ada@a.b.internal', 'b.internal'],
  ['a single label', 'ada@localhost', 'localhost'],
  ['a suffix itself', 'ada@co.uk', 'co.uk'],
  ['the ASCII form of an international domain', 'ada@post.bücher.example', 'xn--bcher-kva.example'],
  ['its ASCII form as it is', 'ada@XN--bcher-kva.example', 'xn--bcher-kva.example'],
  ['an address in digits', 'ada@192.0.2.1', '2.1'],
])('the domain under which mail is counted is, for %s: %s', (_what, to, domain) => {
  expect(mailDomainOf({ to })).toBe(domain);
});
