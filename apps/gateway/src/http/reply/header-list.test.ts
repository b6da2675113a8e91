import { expect, it } from '@jest/globals';
import { HeaderList } from './header-list.js';

it('holds each header once, with its last value, in the order in which they were first added', () => {
  const headers = new HeaderList();
  headers.add({ 'x-first': 'x-second', 'x-second': '1' });
  headers.add({ 'x-third': '', 'x-second': '2' });
  expect(headers.followedBy('x-last', '3')).toEqual(['x-first', 'x-second', 'x-second', '2', 'x-third', '', 'x-last', '3']);
  expect(headers.followedBy()).toEqual(['x-first', 'x-second', 'x-second', '2', 'x-third', '']);
});
