import type { ServerResponse } from 'node:http';
import type { Step } from './behaviours.js';

/** Executes the steps in order and stops if the client has disconnected. */
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
    case 'hang':
      // The race with the client's leaving ends this wait.
      await new Promise<void>(() => undefined);
  }
}

/** A gate that a test opens, in place of a delay. It starts closed and stays open once it is opened. */
export class Gate {
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}
