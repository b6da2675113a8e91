import { describe, expect, it } from '@jest/globals';
import { type ItemIdPrefix, itemIdOf, responseIdOf } from './item-ids.js';

describe("an item's id", () => {
  it.each<readonly [ItemIdPrefix, string]>([
    ['msg_', 'msg_a_b_7'], ['rs_', 'rs_a_b_7'], ['fc_', 'fc_a_b_7'], ['ctc_', 'ctc_a_b_7'], ['tsc_', 'tsc_a_b_7'],
  ])('with the prefix %s names its response', (prefix, id) => {
    expect(itemIdOf(prefix, 'resp_a_b', 7)).toBe(id);
    expect(responseIdOf(id)).toBe('resp_a_b');
  });

  it.each(['', 'msg_1', 'msg_a', 'msg__7', 'ws_a_7', 'resp_a_7', 'msg_a_7x'])('is invalid and names no response if it is %p', (id) => {
    expect(responseIdOf(id)).toBeNull();
  });
});
