import type { ProviderEventBatch, ProviderStream } from '@tollgate/core';

/** Which of an upstream's batches is meant. */
export type StreamMoment = 'first' | 'middle' | 'last';

const MIDDLE = 4;

function isMoment(moment: StreamMoment, position: number, batch: ProviderEventBatch): boolean {
  const isLast = batch.at(-1)?.type === 'provider-end';
  switch (moment) {
    case 'first': return position === 1;
    case 'middle': return position === MIDDLE && !isLast;
    case 'last': return isLast;
  }
}

/** The same stream, which calls `pass` when it hands out the batch that is meant. */
export function watchStream(answer: unknown, moment: StreamMoment, pass: () => void): ProviderStream {
  const stream = answer as ProviderStream;
  let position = 0;
  return {
    next: async () => {
      const result = await stream.next();
      position += 1;
      if (result.done !== true && isMoment(moment, position, result.value)) pass();
      return result;
    },
    get statedPrompt() {
      return stream.statedPrompt;
    },
    return: () => stream.return(),
  };
}
