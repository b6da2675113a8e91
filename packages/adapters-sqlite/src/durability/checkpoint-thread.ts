import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Checkpoint, CheckpointAnswer, CheckpointMode } from './checkpoint-worker.js';

/** The program beside this file, in the form that this file is run in: compiled, or as its source. */
const PROGRAM = new URL(`./checkpoint-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** It holds one connection and does one thing; the runtime's own bounds are for whole programs. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/** Who waits for the checkpoint that is under way. */
interface Waiting {
  resolve(checkpoint: Checkpoint): void;
  reject(cause: unknown): void;
}

/** Moves a write-ahead log into its database file from another thread. Started when it is first needed, and again after it has ended. */
export class CheckpointThread {
  private worker: Worker | null = null;
  private waiting: Waiting | null = null;

  constructor(private readonly file: string) {}

  /** One at a time. Rejects with what kept it from being done, what ended the thread included. */
  checkpoint(mode: CheckpointMode): Promise<Checkpoint> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(mode);
    });
  }

  /** Closes the file. No operation may be running. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: { file: this.file }, resourceLimits: RESOURCES });
    // A program that is done does not wait for it.
    worker.unref();
    worker.on('message', (answer: CheckpointAnswer) => this.answered(answer));
    worker.on('error', (failure: Error) => this.answered({ failure }));
    worker.once('exit', (code) => {
      this.worker = null;
      this.answered({ failure: new Error(`the thread that moves the write-ahead log has ended with ${code}`) });
    });
    return worker;
  }

  private answered(answer: CheckpointAnswer): void {
    const { waiting } = this;
    this.waiting = null;
    if ('failure' in answer) waiting?.reject(answer.failure);
    else waiting?.resolve(answer.checkpoint);
  }
}
