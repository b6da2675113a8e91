import { Child } from '@tollgate/kit';
import type { LoadOrder, LoadResult } from './load-messages.js';

const MILLISECONDS_PER_SECOND = 1000;
/** Requests under way when the time is over are waited for. */
const SPARE_SECONDS = 60;

/** Runs a load in a process of its own. */
export async function runLoad(order: LoadOrder, folder: string): Promise<LoadResult> {
  const child = Child.startProgram(new URL('load-main.js', import.meta.url), folder);
  child.send(order);
  try {
    return await child.message<LoadResult>((order.seconds + SPARE_SECONDS) * MILLISECONDS_PER_SECOND);
  } finally {
    await child.stop();
  }
}
