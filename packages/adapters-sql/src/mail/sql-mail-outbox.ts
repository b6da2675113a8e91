import type { ClaimedMail, ClaimMailsCommand, Instant, ListedMail, MailClaim, MailEnd, MailOutbox, MailOutboxStatus, StoredMail } from '@tollgate/core';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import type { MailOutboxScripts } from './mail-outbox-scripts.js';

/** Mail in any SQL database. A claim whose answer is lost is repeated by nobody until its lease expires. */
export class SqlMailOutbox implements MailOutbox {
  constructor(private readonly scripts: MailOutboxScripts, private readonly runner: StepRunner & Pick<ScriptRunner, 'read'>) {}

  store(mail: StoredMail, mostWaiting: number): Promise<'stored' | 'repeated' | 'full'> {
    return this.runner.steps(() => this.scripts.store(mail, mostWaiting));
  }

  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]> {
    return this.runner.steps(() => this.scripts.claim(command));
  }

  putOff(claim: MailClaim, until: Instant, failure: string): Promise<void> {
    return this.runner.steps(() => this.scripts.putOff(claim, until, failure));
  }

  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void> {
    return this.runner.steps(() => this.scripts.finish(claim, end, at));
  }

  forget(endedBefore: Instant): Promise<void> {
    return this.runner.steps(() => this.scripts.forget(endedBefore));
  }

  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]> {
    return this.runner.read(() => this.scripts.list(query));
  }

  status(): Promise<MailOutboxStatus> {
    return this.runner.read(() => this.scripts.status());
  }
}
