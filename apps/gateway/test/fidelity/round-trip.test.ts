import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GenerationRequest } from '@tollgate/core';
import { chatLanguage, messagesLanguage, responsesLanguage } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { runsOf } from './support/runs.js';
import { UpstreamBench, type UpstreamKind } from './support/upstream-bench.js';

const RUNS = runsOf(200);
/** Time limit for a run that hangs, long enough for a busy machine. */
const MAX_MILLISECONDS = 1_000 * RUNS;

/** Options of an upstream that accepts every turn, so that no turn is merged into another. */
const WIDE = { systemTurns: 'in-place', stopSequenceLimit: 16 } as const;

const LANGUAGES: readonly (readonly [UpstreamKind, fc.Arbitrary<GenerationRequest>])[] = [['openai', chatLanguage], ['anthropic', messagesLanguage], ['responses', responsesLanguage]];

describe.each(LANGUAGES)('a request in the format of %s upstreams', (kind, language) => {
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
      // `toEqual` ignores the difference of 0 and -0 and the order of keys, so the texts are compared too.
      expect(understood.tools.map(({ inputSchema }) => inputSchema?.text)).toEqual(request.tools.map(({ inputSchema }) => inputSchema?.text));
    }), { numRuns: RUNS });
  }, MAX_MILLISECONDS);
});
