import type { ClaimOutcome, FinishCommand, IdempotencyClaim, IdempotencyClaimName, IdempotencyStore, Instant } from '@tollgate/core';
import type { StepRunner } from '../script/script-runner.js';
import type { IdempotencyScripts } from './idempotency-scripts.js';

/** Keys of requests in any SQL database. */
export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly scripts: IdempotencyScripts, private readonly runner: StepRunner) {}

  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.runner.steps(() => this.scripts.claim(claim));
  }

  finish(command: FinishCommand): Promise<void> {
    return this.runner.steps(() => this.scripts.finish(command));
  }

  release(claim: IdempotencyClaimName): Promise<void> {
    return this.runner.steps(() => this.scripts.release(claim));
  }

  sweep(now: Instant, keptUntil: Instant): Promise<number> {
    return this.runner.steps(() => this.scripts.sweep(now, keptUntil));
  }
}
