import type { ServerResponse } from 'node:http';
import type { Step } from './behaviours.js';

/** Plays the steps, until the client disconnects at the latest. */
export async function playSteps(response: ServerResponse, steps: readonly Step[]): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    response.once('close', resolve);
  });
  for (const step of steps) {
    if (response.destroyed) return;
    await Promise.race([gone, play(response, step)]);
  }
}

async function play(response: ServerResponse, step: Step): Promise<void> {
  switch (step.type) {
    case 'send-headers':
      response.writeHead(step.status, step.headers);
      response.flushHeaders();
      return;
    case 'write':
      await new Promise<void>((resolve) => {
        response.write(step.bytes, () => {
          resolve();
        });
      });
      return;
    case 'wait':
      await step.gate.opened;
      return;
    case 'end':
      response.end();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'close':
      response.socket?.end();
      return;
    case 'hang':
      // The caller stops waiting when the client disconnects.
      await new Promise<void>(() => undefined);
  }
}
