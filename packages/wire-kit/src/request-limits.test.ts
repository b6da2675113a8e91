import { describe, expect, it } from '@jest/globals';
import { DEFAULT_REQUEST_LIMITS, type GatewayError, type RequestLimits } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { decodeString } from './decode-fields.js';
import { decodeListWithin, decodersWithin, itemsWithin } from './request-limits.js';

const LIMITS: RequestLimits = { messages: 2, tools: 3, messageCharacters: 10, stopSequences: 1 };

function thrownBy(action: () => unknown): GatewayError {
  try {
    action();
  } catch (thrown) {
    return thrown as GatewayError;
  }
  throw new Error('nothing was refused');
}

describe('a list', () => {
  it.each([
    ['messages', 'messages', 2], ['tools', 'tools', 3], ['stopSequences', 'stop sequences', 1],
  ] as const)('of %s may have as many items as its limit, and is refused with one more', (name, noun, most) => {
    const decode = decodeListWithin(LIMITS, name, decodeString);
    const full = Array.from({ length: most }, () => 'a');
    expect(decode(full, null, 'list')).toEqual(full);
    expect(refusalOf(() => decode([...full, 'b'], null, 'list'))).toEqual({
      code: 'invalid_request', param: 'list',
      message: `'list' must have at most ${most} ${noun}, but has ${most + 1}. The operator of this gateway can raise this limit.`,
    });
    expect(thrownBy(() => decode([...full, 'b'], null, 'list')).requestLimit).toEqual({ name, most });
  });
});

it('a responses request may have 2,000 items, or as many as the limit of messages if that is higher', () => {
  expect([1, 2_000, 2_001].map((messages) => itemsWithin({ ...DEFAULT_REQUEST_LIMITS, messages }))).toEqual([2_000, 2_000, 2_001]);
});

it('decoders are created once for each limits object', () => {
  const decoders = decodersWithin((limits) => ({ limits }));
  expect(decoders(LIMITS)).toBe(decoders(LIMITS));
  expect(decoders({ ...LIMITS })).not.toBe(decoders(LIMITS));
});
