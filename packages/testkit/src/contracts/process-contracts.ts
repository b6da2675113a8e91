import { afterEach, beforeEach, describe, expect, it } from './test-runner.js';
import type { ApiKeySecretGenerator, Catalogue, CatalogueSource, Clock, IdGenerator, VoucherCodeGenerator } from '@tollgate/core';
import type { IdentityIdGenerator } from '@tollgate/identity';

interface ClockSubject {
  readonly clock: Clock;
  /** Lets at least this time pass. Resolves after the timers that were due by then have fired. */
  pass(milliseconds: number): Promise<void> | void;
}

/** Delays in milliseconds. They are short, because tests of real clocks wait for them. */
const SOON = 2;
const LATER = 20;

export function clockContract(name: string, make: () => ClockSubject): void {
  describe(`Clock contract: ${name}`, () => {
    let subject: ClockSubject;
    let runs: string[];
    const noted = (run: string) => (): void => void runs.push(run);

    beforeEach(() => {
      [subject, runs] = [make(), []];
    });

    const cancels: (() => void)[] = [];
    afterEach(() => cancels.splice(0).forEach((cancel) => cancel()));

    function schedule(delayMilliseconds: number, task: () => void): () => void {
      const cancel = subject.clock.schedule(delayMilliseconds, task);
      cancels.push(cancel);
      return cancel;
    }

    it('returns increasing whole milliseconds', async () => {
      const before = subject.clock.now();
      await subject.pass(LATER);
      const after = subject.clock.now();
      expect([before, after].every(Number.isSafeInteger)).toBe(true);
      expect(after).toBeGreaterThan(before);
    });

    it.each([0, SOON])('runs a task with a delay of %d ms once, and never within the call that schedules it', async (delayMilliseconds) => {
      schedule(delayMilliseconds, noted('run'));
      expect(runs).toEqual([]);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
    });

    it('runs tasks in the order of their due times, and tasks due at the same time in the order of scheduling', async () => {
      for (const [run, delayMilliseconds] of [['last', LATER], ['first', SOON], ['second', SOON]] as const) schedule(delayMilliseconds, noted(run));
      await subject.pass(LATER);
      expect(runs).toEqual(['first', 'second', 'last']);
    });

    it('runs tasks that a task schedules', async () => {
      schedule(SOON, () => void schedule(SOON, noted('run')));
      await subject.pass(LATER);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
    });

    it('does not run cancelled tasks; cancelling a task twice or after it has run has no effect', async () => {
      const [cancel, cancelLater] = [schedule(SOON, noted('cancelled')), schedule(SOON, noted('run'))];
      cancel();
      cancel();
      await subject.pass(LATER);
      cancelLater();
      schedule(SOON, noted('another'));
      cancelLater();
      await subject.pass(LATER);
      expect(runs).toEqual(['run', 'another']);
    });

    it('does not keep the process alive for a scheduled task', () => {
      const timersThatDo = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const before = timersThatDo();
      schedule(60_000, noted('run'));
      expect(timersThatDo()).toBe(before);
    });
  });
}

const MANY = 1_000;
/** Characters that headers, logs, file names and all databases accept unescaped. */
const PLAIN = '[A-Za-z0-9_-]{1,60}';

type Ids = IdGenerator & ApiKeySecretGenerator & IdentityIdGenerator & VoucherCodeGenerator;

type Make = (ids: Ids) => string;

export function idGeneratorContract(name: string, make: () => Ids): void {
  describe(`IdGenerator contract: ${name}`, () => {
    it.each<[string, Make, RegExp]>([
      ['an account', (ids) => ids.accountId(), new RegExp(`^acct_${PLAIN}$`)],
      ['a key', (ids) => ids.apiKeyId(), new RegExp(`^key_${PLAIN}$`)],
      ['a machine', (ids) => ids.machineId(), new RegExp(`^mach_${PLAIN}$`)],
      ['a webhook', (ids) => ids.webhookId(), new RegExp(`^hook_${PLAIN}$`)],
      ['a secret of a webhook', (ids) => ids.webhookSecret(), /^whsec_[A-Za-z0-9]{40}$/],
      ['a secret of a machine', (ids) => ids.machineSecret().reveal(), /^tgm_[A-Za-z0-9]{48}$/],
      ['a mail', (ids) => ids.mailId(), new RegExp(`^mail_${PLAIN}$`)],
      ['a person', (ids) => ids.personId(), new RegExp(`^person_${PLAIN}$`)],
      ['a session', (ids) => ids.sessionId(), new RegExp(`^session_${PLAIN}$`)],
      ['a process', (ids) => ids.processId(), new RegExp(`^${PLAIN}$`)],
      ['a request', (ids) => ids.requestId(), new RegExp(`^req_${PLAIN}$`)],
      ['a reservation', (ids) => ids.reservationId(), new RegExp(`^${PLAIN}$`)],
      ['a chat reply', (ids) => ids.responseId('chatcmpl-'), new RegExp(`^chatcmpl-${PLAIN}$`)],
      ['a message', (ids) => ids.responseId('msg_'), new RegExp(`^msg_${PLAIN}$`)],
      ['a batch of vouchers', (ids) => ids.voucherBatchId(), new RegExp(`^vbatch_${PLAIN}$`)],
      ['a voucher', (ids) => ids.voucherCode().reveal(), /^(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/],
      ['a secret', (ids) => ids.apiKeySecret().reveal(), /^sk-[A-Za-z0-9]{48}$/],
    ])('returns an identifier of %s in the expected form, and never the same one twice', (_kind, nameOne, form) => {
      const ids = make();
      const made = Array.from({ length: MANY }, () => nameOne(ids));
      expect(made.filter((id) => !form.test(id))).toEqual([]);
      expect(new Set(made).size).toBe(MANY);
    });
  });
}

interface CatalogueSubject {
  readonly source: CatalogueSource;
  /** Replaces the catalogue by another one, whose only model has this name. */
  replace(model: string): void;
  close?(): void;
}

function modelsOf({ models }: Catalogue): readonly string[] {
  return models.map(({ slug }) => slug);
}

/** Tests that a catalogue, once read, does not change when its source does. */
export function catalogueSourceContract(name: string, make: (model: string) => CatalogueSubject): void {
  describe(`CatalogueSource contract: ${name}`, () => {
    let subject: CatalogueSubject | null = null;
    const start = (model: string): CatalogueSubject => {
      subject = make(model);
      return subject;
    };
    afterEach(() => {
      subject?.close?.();
      subject = null;
    });

    it('returns the same catalogue until it is replaced', () => {
      const { source } = start('first');
      expect(modelsOf(source.current())).toEqual(['first']);
      expect(source.current()).toBe(source.current());
    });

    it('returns the new catalogue from the next read on, and leaves the earlier one unchanged', () => {
      const started = start('first');
      const before = started.source.current();
      started.replace('second');
      expect(modelsOf(started.source.current())).toEqual(['second']);
      expect(modelsOf(before)).toEqual(['first']);
    });
  });
}
