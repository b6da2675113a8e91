import type { GenerationEventBatch } from './generation-event.js';

export type Step = IteratorResult<GenerationEventBatch, undefined>;

export const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };
export const GONE = Promise.resolve(DONE);
