import { describe, expect, it } from '@jest/globals';
import type { Turn } from '@tollgate/core';
import { aGenerationRequest } from '@tollgate/testkit';
import { says, turns } from '../test-support/calls.js';
import { sendableRequest } from './sendable-request.js';

const LIMIT = 10;
const LONG = 'c'.repeat(LIMIT + 1);

const calls = (id: string, name: string): Turn => ({ role: 'assistant', content: [{ type: 'tool-call', id, name, argumentsJson: '{}' }] });
const results = (toolCallId: string): Turn => ({ role: 'user', content: [{ type: 'tool-result', toolCallId, content: [], isError: false }] });

describe('a sendable request', () => {
  it('is the original request, unchanged, if the server accepts all names and ids in the request', () => {
    const request = aGenerationRequest(turns(says('a'), calls('c1', 'f'), results('c1')));
    expect(sendableRequest(request, LIMIT).request).toBe(request);
  });

  it.each<[string, Turn]>([
    ['id of a call', calls(LONG, 'f')], ['name in a call', calls('c1', 'f.g')], ['id of a result', results(LONG)],
  ])('replaces the %s that the server refuses, and no other turn', (_what, turn) => {
    const others = [says('a'), calls('c1', 'f'), results('c1')];
    for (const place of [0, 1, others.length]) {
      const given = others.toSpliced(place, 0, turn);
      const { turns: sent } = sendableRequest(aGenerationRequest(turns(...given)), LIMIT).request.conversation;
      expect(sent.map((each, index) => each === given[index])).toEqual(given.map((_, index) => index !== place));
    }
  });
});
