import { runInThisContext } from 'node:vm';
import { jest } from '@jest/globals';

const WAYS_TO_PRINT = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Node prints this warning because of jest, not because of a client. */
const OF_THE_TEST_RUNNER = 'VM Modules is an experimental feature';

/** Records what clients print, and the warnings of the process. */
export class PrintedWarnings {
  #heard: string[] = [];
  // Warnings are emitted on the real `process`, not on jest's copy.
  readonly #process = runInThisContext('process') as NodeJS.Process;
  readonly #listener = ({ name, message }: Error): void => {
    if (!message.startsWith(OF_THE_TEST_RUNNER)) this.#heard.push(`${name}: ${message}`);
  };

  start(): void {
    this.#process.on('warning', this.#listener);
    for (const way of WAYS_TO_PRINT) {
      jest.spyOn(console, way).mockImplementation((...words: readonly unknown[]) => {
        this.#heard.push(`console.${way}: ${words.map(String).join(' ')}`);
      });
    }
  }

  /** Returns and drops the recorded warnings, after those still pending have arrived. */
  async take(): Promise<readonly string[]> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }

  stop(): void {
    this.#process.off('warning', this.#listener);
    jest.restoreAllMocks();
  }
}
