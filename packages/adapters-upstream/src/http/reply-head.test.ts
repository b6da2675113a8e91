import { expect, it } from '@jest/globals';
import { instant } from '@tollgate/core';
import { readHead } from './reply-head.js';

const NOW = instant(0);

it.each([
  ['both headers', { 'content-type': 'Text/Event-Stream; charset=utf-8', 'retry-after': '37' }, 'text/event-stream', 37],
  ['neither', {}, '', null],
  ['headers that a proxy has added once more', { 'content-type': ['text/event-stream', 'text/plain'], 'retry-after': ['37', '5'] }, 'text/event-stream', 37],
  ['a wait that cannot be read', { 'retry-after': 'later' }, '', null],
] as const)('the head of a reply with %s is read', (_name, headers, ...[contentType, retryAfterSeconds]) => {
  expect(readHead(429, headers as Parameters<typeof readHead>[1], NOW)).toEqual({ status: 429, contentType, retryAfterSeconds });
});
