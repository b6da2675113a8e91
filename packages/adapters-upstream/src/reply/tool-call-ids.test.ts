import { describe, expect, it } from '@jest/globals';
import { readAs, REPLY_KINDS } from '../test-support/every-kind.js';

describe.each(Object.entries(REPLY_KINDS))('a reply of an upstream of kind %s', (_name, kind) => {
  it.each(['whole', 'stream'] as const)('has calls with different ids if the %s reply states one id for all', (delivery) => {
    const { blocks } = readAs(delivery, kind, { toolCalls: [{ id: 'c1', name: 'f', arguments: '{"b":1}' }, { id: 'c1', name: 'f', arguments: '{"a":1}' }] });
    expect(blocks).toEqual([
      { type: 'tool-call', id: 'c1', name: 'f', argumentsJson: '{"b":1}' }, { type: 'tool-call', id: 'made', name: 'f', argumentsJson: '{"a":1}' },
    ]);
  });
});
