import { expect, it } from '@jest/globals';
import { urlOf } from './listening.js';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['tollgate.example.test', 'http://tollgate.example.test:8080'],
])('a server on %s is reached at %s', (host, url) => {
  expect(urlOf(host, 8080)).toBe(url);
});
