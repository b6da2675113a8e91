import { describe, expect, it } from '@jest/globals';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import { PIECE } from '../upstream/request-script.js';
import { billedFrom, wrongOutput } from './billed-output.js';

describe('billed output', () => {
  const LEFT = { seen: 4, sent: 7, leftAtHold: true };
  const STAYED = { seen: 6, sent: 6, leftAtHold: false };
  const BROKEN = { seen: 4, sent: 7, leftAtHold: false };

  it.each([
    ['what a client had seen when it disconnected: right', LEFT, 'client_left', 'counted', 4, true],
    ['one piece more than a client had seen when it disconnected: right', LEFT, 'client_left', 'counted', 5, true],
    ['two pieces more than a client had seen when it disconnected: wrong', LEFT, 'client_left', 'counted', 6, false],
    ['less than a client had seen when it disconnected: wrong', LEFT, 'client_left', 'counted', 3, false],
    ['all that an upstream reports: right', STAYED, 'completed', 'reported', 6, true],
    ['more than an upstream has sent: wrong', STAYED, 'completed', 'reported', 7, false],
    ['less than an upstream has sent and a client has seen: wrong', STAYED, 'completed', 'reported', 5, false],
    ['all that was received before the upstream failed: right', BROKEN, 'provider_failed', 'counted', 7, true],
    ['more than was received before the upstream failed: wrong', BROKEN, 'provider_failed', 'counted', 8, false],
    ['less than was relayed before the upstream failed: wrong', BROKEN, 'provider_failed', 'counted', 3, false],
    ['less than was relayed when the process died, by a checkpoint: right', BROKEN, 'crashed', 'counted', 1, true],
    ['more than was received when the process died: wrong', BROKEN, 'crashed', 'counted', 8, false],
  ])('is judged if it is %s', (_name, relayed, endReason, source, pieces, isRight) => {
    const counter = new LinearTokenEstimator().startCounter();
    counter.add(PIECE.repeat(pieces));
    const tokens = source === 'reported' ? pieces : counter.tokens;
    const wrong = wrongOutput(relayed, billedFrom([['12', endReason, source, String(tokens)]]).get(12));
    expect(wrong === null).toBe(isRight);
  });

  it('may be missing only if the client received no output', () => {
    expect(wrongOutput(STAYED, undefined)).toMatch('nothing is recorded');
    expect(wrongOutput({ ...STAYED, seen: 0 }, undefined)).toBeNull();
  });
});
