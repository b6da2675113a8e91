import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WalCheckpoint, WalCheckpointAnswer, WalCheckpointMode } from './checkpoint-worker.js';

/** The entry file of the worker, in this folder. Its extension is that of this file, which is compiled code or source. */
const PROGRAM = new URL(`./checkpoint-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Memory limits. They are small, because the thread has one connection and one task. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

interface Waiting {
  resolve(checkpoint: WalCheckpoint): void;
  reject(cause: unknown): void;
}

/** Runs checkpoints in another thread. The thread starts on demand, and again after it has ended. */
export class WalCheckpointThread {
  private worker: Worker | null = null;
  private waiting: Waiting | null = null;

  constructor(private readonly file: string) {}

  /** Must not be called during another checkpoint. Rejects if the checkpoint or the thread fails. */
  checkpoint(mode: WalCheckpointMode): Promise<WalCheckpoint> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker ??= this.start();
      this.worker.postMessage(mode);
    });
  }

  /** Must not be called during a checkpoint. */
  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: { file: this.file }, resourceLimits: RESOURCES });
    // Lets the process exit without waiting for this thread.
    worker.unref();
    worker.on('message', (answer: WalCheckpointAnswer) => this.answered(answer));
    worker.on('error', (failure: Error) => this.answered({ failure }));
    worker.once('exit', (code) => {
      this.worker = null;
      this.answered({ failure: new Error(`the checkpoint thread of the write-ahead log exited with code ${code}`) });
    });
    return worker;
  }

  private answered(answer: WalCheckpointAnswer): void {
    const { waiting } = this;
    this.waiting = null;
    if ('failure' in answer) waiting?.reject(answer.failure);
    else waiting?.resolve(answer.checkpoint);
  }
}
