import { describe, expect, it } from '@jest/globals';
import { changeOf } from './change.js';

describe('the change from the previous period', () => {
  it.each([
    ['0', '0', { kind: 'same' }],
    ['1.50', '1.5', { kind: 'same' }],
    ['3', '0', { kind: 'new' }],
    ['0', '3', { kind: 'less', share: '100 %' }],
    ['135', '100', { kind: 'more', share: '35 %' }],
    ['65', '100', { kind: 'less', share: '35 %' }],
    ['100.4', '100', { kind: 'more', share: '0.4 %' }],
    ['109.94', '100', { kind: 'more', share: '9.9 %' }],
    ['109.96', '100', { kind: 'more', share: '10 %' }],
    ['100.01', '100', { kind: 'more', share: '< 0.1 %' }],
    ['0.000000000000000003', '0.000000000000000002', { kind: 'more', share: '50 %' }],
    ['1200', '100', { kind: 'more', share: '12×' }],
    ['90071992547409.93', '90071992547409.92', { kind: 'more', share: '< 0.1 %' }],
  ] as const)('is, for %s now and %s before, %j', (now, before, change) => {
    expect(changeOf(now, before)).toEqual(change);
  });
});
