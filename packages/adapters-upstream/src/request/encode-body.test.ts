import { describe, expect, it } from '@jest/globals';
import type { Sampling } from '@tollgate/core';
import { aCall } from '../test-support/calls.js';
import { encodeBody } from './encode-body.js';

const NONE: Sampling = { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null };

function omittedOf(sampling: Partial<Sampling>, sent: Readonly<Record<string, number>>): readonly string[] {
  return encodeBody(sent, aCall({ request: { sampling: { ...NONE, ...sampling } } }), null).omitted;
}

describe('encodeBody', () => {
  it('names sampling parameters that are not sent, or with another value', () => {
    expect(omittedOf({ temperature: 1.5, topP: 0.5, frequencyPenalty: 1, presencePenalty: -1 }, { temperature: 1 })).toEqual(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']);
  });

  it('names no sampling parameter that is sent, absent, or without effect', () => {
    expect(omittedOf({ temperature: 0, topP: 0.5 }, { temperature: 0, top_p: 0.5 })).toEqual([]);
    expect(omittedOf({}, { temperature: 1 })).toEqual([]);
    expect(omittedOf({ temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }, {})).toEqual([]);
  });
});
