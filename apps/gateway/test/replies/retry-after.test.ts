import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelSlug } from '@tollgate/core';
import { answersStatus } from '@tollgate/testkit';
import { FORMAT_PAIRS } from '../support/client-formats.js';
import { ReplyBench } from '../support/reply-bench.js';

describe.each(FORMAT_PAIRS)('the retry-after of a refusal, for a client of the %s format from an upstream of kind %s,', (_name, kind, client) => {
  let bench: ReplyBench;

  beforeAll(async () => {
    bench = await ReplyBench.start({ client, kind, models: { lonely: {}, backed: { fallbacks: ['second' as ModelSlug] }, second: {} } });
  });
  afterAll(() => bench.close());

  const refusesWith = (model: string, status: number, retryAfter?: string): void => {
    bench.upstream.script(model, answersStatus(status, undefined, retryAfter === undefined ? {} : { 'retry-after': retryAfter }));
  };

  const refusal = async (model: string, stream: boolean): Promise<readonly unknown[]> => {
    const response = await bench.send(model, { stream, maximum: 20 });
    await response.text();
    return [response.status, response.headers.get('retry-after')];
  };

  it.each([
    [429, '37', '37'], [503, '37', '37'], [429, '3600', '300'], [429, '0', '1'], [429, 'in a while', '2'], [500, undefined, '2'],
  ])('with status %d and the value %j reaches the client as %j, whole and streamed', async (status, retryAfter, passedOn) => {
    for (const stream of [false, true]) {
      refusesWith('lonely', status, retryAfter);
      expect(await refusal('lonely', stream)).toEqual([503, passedOn]);
    }
  });

  it('may be a date', async () => {
    refusesWith('lonely', 429, new Date(bench.clock.now() + 90_000).toUTCString());
    expect(await refusal('lonely', true)).toEqual([503, '90']);
  });

  it('is the shortest one if all candidates state one, and two seconds otherwise', async () => {
    refusesWith('backed', 429, '60');
    refusesWith('second', 429, '20');
    expect(await refusal('backed', true)).toEqual([503, '20']);
    refusesWith('backed', 429, '60');
    refusesWith('second', 500);
    expect(await refusal('backed', true)).toEqual([503, '2']);
  });
});
