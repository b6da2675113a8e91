import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GenerationRequest } from '@tollgate/core';
import { chatLanguage, messagesLanguage, responsesLanguage } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { runsOf } from './support/runs.js';
import { UpstreamBench, type UpstreamKind } from './support/upstream-bench.js';

const RUNS = runsOf(200);
/** A bound for a run that hangs, on a busy machine too. */
const MAX_MILLISECONDS = 1_000 * RUNS;

/** Options of an upstream that accepts everything, so that nothing is folded. */
const WIDE = { systemTurns: 'in-place', stopSequenceLimit: 16 } as const;

const LANGUAGES: readonly (readonly [UpstreamKind, fc.Arbitrary<GenerationRequest>])[] = [['openai', chatLanguage], ['anthropic', messagesLanguage], ['responses', responsesLanguage]];

describe.each(LANGUAGES)('what the format of %s upstreams can say', (kind, language) => {
  let bench: UpstreamBench;

  beforeAll(async () => {
    bench = await UpstreamBench.start(kind, WIDE);
  });

  afterAll(async () => {
    await bench.close();
  });

  it('reaches the server so that it decodes to the original request', async () => {
    await fc.assert(fc.asyncProperty(language, async (request) => {
      const understood = await bench.understood(request);
      expect(understood).toEqual(request);
      // `toEqual` takes -0 for 0 and keys in any order for the same; texts tell them apart.
      expect(understood.tools.map(({ inputSchema }) => inputSchema?.text)).toEqual(request.tools.map(({ inputSchema }) => inputSchema?.text));
    }), { numRuns: RUNS });
  }, MAX_MILLISECONDS);
});
