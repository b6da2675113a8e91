import { expect, it } from '@jest/globals';
import { counted, exactCount, share, shortCount } from './count.js';

it('counts have grouped digits, and are shortened above ten million', () => {
  expect([exactCount(0), exactCount(48_210), shortCount(10_000_000), shortCount(61_249_999)]).toEqual(['0', '48,210', '10,000,000', '61.2 M']);
});

it('the number one takes the singular, and any other the plural', () => {
  expect([counted(0, 'request'), counted(1, 'request'), counted(1_500, 'request'), counted(2, 'person', 'people')]).toEqual(['0 requests', '1 request', '1,500 requests', '2 people']);
});

it('shares have at most one decimal', () => {
  expect([share(0), share(0.9412), share(1)]).toEqual(['0 %', '94.1 %', '100 %']);
});
