import { runInThisContext } from 'node:vm';
import { jest } from '@jest/globals';

const WAYS_TO_PRINT = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Node prints this because of jest's module loading. */
const OF_THE_TEST_RUNNER = 'VM Modules is an experimental feature';

/** Output of a client and warnings of the process. */
export class PrintedWarnings {
  #heard: string[] = [];
  // jest's copy of `process` emits no warnings.
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

  /** Warnings since the last call, including pending ones. */
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
