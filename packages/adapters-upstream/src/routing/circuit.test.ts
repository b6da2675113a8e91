import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AccountId } from '@tollgate/core';
import { aCall } from '../test-support/calls.js';
import { UpstreamFailure, type UpstreamFailureReason } from '../upstream/upstream-failure.js';
import type { CallFacts } from '../http/content-free-call.js';
import { Circuit, Circuits, type CircuitState, type ProbeOutcome } from './circuit.js';
import type { CallHealth } from '../reply/call-health.js';

type Outcome = UpstreamFailureReason | 'answer';

const A = 'acct_a' as AccountId;
const B = 'acct_b' as AccountId;
const C = 'acct_c' as AccountId;

function tell(health: CallHealth, outcome: Outcome): void {
  if (outcome === 'answer') health.answered();
  else health.failed(new UpstreamFailure(outcome, 'no'));
}

class Subject {
  readonly clock = new ManualClock();
  readonly changes: CircuitState[] = [];
  /** Functions that end the gateway's own unfinished calls, in order. */
  readonly probes: ((outcome: ProbeOutcome) => void)[] = [];
  readonly circuit = new Circuit({
    clock: this.clock,
    probe: () => new Promise((resolve) => { this.probes.push(resolve); }),
    changed: (_facts, state) => { this.changes.push(state); },
  });

  begin(accountId: AccountId): CallHealth | null {
    return this.circuit.begin({ ...aCall(), accountId } satisfies CallFacts);
  }

  call(accountId: AccountId, ...outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      const health = this.begin(accountId);
      if (health !== null) tell(health, outcome);
    }
  }

  async probeEnds(outcome: ProbeOutcome): Promise<void> {
    this.probes.shift()?.(outcome);
    await Promise.resolve();
  }
}

function five(outcome: Outcome): readonly Outcome[] {
  return Array.from({ length: 5 }, () => outcome);
}

/** A circuit opened by refused connections, ten seconds later: the next call is the trial. */
function halfOpen(): Subject {
  const subject = new Subject();
  subject.call(A, ...five('connect-failed'));
  subject.clock.advance(10_000);
  return subject;
}

describe('a circuit', () => {
  it.each<[string, readonly (readonly [AccountId, readonly Outcome[]])[], CircuitState]>([
    ['five calls that did not connect, of one account', [[A, five('connect-failed')]], 'open'],
    ['four calls that did not connect', [[A, five('connect-failed').slice(1)]], 'closed'],
    ['half of the calls that did not connect', [[A, ['answer', 'answer', 'answer', 'connect-failed', 'connect-failed', 'connect-failed']]], 'open'],
    ['less than half of the calls that did not connect', [[A, ['answer', 'answer', 'answer', 'connect-failed', 'connect-failed']]], 'closed'],
    ['hanging up on two accounts', [[A, ['hung-up', 'hung-up', 'hung-up']], [B, ['hung-up', 'hung-up']]], 'open'],
    ['hanging up on one account and one answer to another', [[B, ['answer']], [A, [...five('hung-up'), ...five('hung-up')]]], 'closed'],
    ['hanging up on one account, a time-out of another and three answers', [[C, ['answer', 'answer', 'answer']], [A, five('hung-up')], [B, ['timed-out']]], 'closed'],
    ['time-outs of two accounts', [[A, ['timed-out', 'timed-out', 'timed-out']], [B, ['timed-out', 'timed-out']]], 'open'],
    ['unavailability to two accounts', [[A, ['server-unavailable', 'server-unavailable', 'server-unavailable']], [B, ['server-unavailable', 'server-unavailable']]], 'open'],
    ['time-outs of one account and answers to others', [[B, ['answer']], [C, ['answer']], [A, five('timed-out')]], 'closed'],
    ['time-outs of one account and one answer to another', [[B, ['answer']], [A, [...five('timed-out'), ...five('timed-out')]]], 'closed'],
    ['time-outs of one account and a refusal of another', [[B, ['refused']], [A, five('timed-out')]], 'closed'],
    ['time-outs of two accounts, which count twice, and three answers', [[C, ['answer', 'answer', 'answer']], [A, five('timed-out')], [B, five('timed-out')]], 'closed'],
    ['time-outs of two accounts and two answers', [[C, ['answer', 'answer']], [A, five('timed-out')], [B, ['timed-out']]], 'open'],
    ['time-outs of one account and one connection that another did not get', [[B, ['connect-failed']], [A, five('timed-out')]], 'closed'],
    ...(['server-error', 'cut-off', 'malformed-reply', 'rate-limited', 'bad-credentials', 'payment-required', 'model-unknown', 'redirected', 'refused', 'context-too-long', 'too-long-running', 'not-sent', 'cancelled'] as const)
      .map((reason): [string, readonly (readonly [AccountId, readonly Outcome[]])[], CircuitState] => [`any number of failures by ${reason}`, [[A, five(reason)], [B, five(reason)], [C, five(reason)]], 'closed']),
  ])('is open or closed as expected after %s', (_name, ...[calls, state]) => {
    const subject = new Subject();
    for (const [account, outcomes] of calls) subject.call(account, ...outcomes);
    expect(subject.circuit.state).toBe(state);
    expect(subject.changes).toEqual(state === 'open' ? ['open'] : []);
    expect(subject.probes).toEqual([]);
  });

  it('forgets the outcomes of calls after 30 seconds', () => {
    const subject = new Subject();
    subject.call(A, 'connect-failed', 'connect-failed', 'connect-failed', 'connect-failed');
    subject.clock.advance(30_000);
    subject.call(A, 'connect-failed');
    expect(subject.circuit.state).toBe('closed');
    subject.call(A, 'connect-failed', 'connect-failed', 'connect-failed');
    subject.clock.advance(26_999);
    subject.call(A, 'connect-failed');
    expect(subject.circuit.state).toBe('open');
  });

  it('counts a call that fell silent after its first output as one failure', () => {
    const subject = new Subject();
    for (const account of [A, B, C]) {
      const [first, second] = [subject.begin(account), subject.begin(account)];
      for (const health of [first, second]) health?.answered();
      for (const health of [first, second]) health?.failed(new UpstreamFailure('timed-out', 'silent'));
    }
    expect(subject.circuit.state).toBe('open');
  });

  describe('with failures of only one account', () => {
    it.each<['answered' | 'failed', CircuitState]>([['failed', 'open'], ['answered', 'closed']])('makes a call of its own; if the outcome of that call is %s, the circuit is %s', async (outcome, state) => {
      const subject = new Subject();
      subject.call(A, ...five('server-unavailable'));
      expect([subject.circuit.state, subject.probes.length]).toEqual(['closed', 1]);
      await subject.probeEnds(outcome);
      expect(subject.circuit.state).toBe(state);
    });

    it('stays closed if other accounts get answers before its own call has failed', async () => {
      const subject = new Subject();
      subject.call(A, ...five('timed-out'));
      subject.call(B, 'answer', 'answer');
      await subject.probeEnds('failed');
      expect([subject.circuit.state, subject.changes]).toEqual(['closed', []]);
    });

    it('makes one call of its own at a time, however long it takes', async () => {
      const subject = new Subject();
      for (let round = 0; round < 3; round += 1) {
        subject.call(A, ...five('hung-up'));
        subject.clock.advance(10_000);
      }
      expect(subject.probes).toHaveLength(1);
      await subject.probeEnds('answered');
      subject.call(A, ...five('hung-up'));
      expect(subject.probes).toHaveLength(1);
    });

    it('makes a call of its own at most every ten seconds', async () => {
      const subject = new Subject();
      subject.call(A, ...five('timed-out'), ...five('timed-out'));
      await subject.probeEnds('answered');
      subject.call(A, 'timed-out');
      expect(subject.probes).toHaveLength(0);
      subject.clock.advance(10_000);
      subject.call(A, 'timed-out', 'timed-out');
      expect(subject.probes).toHaveLength(1);
    });

    it('makes no call of its own while most calls are answered', () => {
      const subject = new Subject();
      subject.call(A, 'answer', 'answer', 'answer', 'timed-out', 'timed-out');
      expect(subject.probes).toHaveLength(0);
    });
  });

  describe('that is open', () => {
    it('refuses calls for ten seconds, and states the remaining time', () => {
      const subject = new Subject();
      subject.call(A, ...five('connect-failed'));
      expect([subject.begin(B), subject.circuit.restSeconds]).toEqual([null, 10]);
      subject.clock.advance(9_999);
      expect([subject.begin(B), subject.circuit.restSeconds]).toEqual([null, 1]);
    });

    it('admits one trial call after ten seconds, and another one if the first has no result ten seconds later', () => {
      const subject = halfOpen();
      expect([subject.begin(A) === null, subject.begin(B)]).toEqual([false, null]);
      subject.clock.advance(10_000);
      expect([subject.begin(A) === null, subject.begin(B)]).toEqual([false, null]);
    });

    it.each<[Outcome, CircuitState]>([
      ['answer', 'closed'], ['refused', 'closed'], ['server-error', 'closed'], ['rate-limited', 'closed'], ['bad-credentials', 'closed'],
      ['connect-failed', 'open'], ['cancelled', 'open'],
    ])('admits a trial call; if its outcome is %s, the circuit is then %s', (outcome, state) => {
      const subject = halfOpen();
      subject.call(B, outcome);
      expect(subject.circuit.state).toBe(state);
      expect(subject.begin(C) === null).toBe(state === 'open');
      expect(subject.changes).toEqual(state === 'open' ? ['open'] : ['open', 'closed']);
    });

    it('resets its counts when it closes', () => {
      const subject = halfOpen();
      subject.call(A, 'answer', 'connect-failed', 'connect-failed', 'connect-failed', 'connect-failed');
      expect(subject.circuit.state).toBe('closed');
    });

    it.each<[Outcome, ProbeOutcome, CircuitState]>([
      ['hung-up', 'failed', 'open'], ['hung-up', 'answered', 'closed'], ['timed-out', 'failed', 'open'], ['timed-out', 'answered', 'closed'], ['timed-out', 'given-up', 'open'], ['no-free-connection', 'given-up', 'open'], ['no-free-connection', 'answered', 'closed'], ['cancelled', 'failed', 'open'], ['cancelled', 'answered', 'closed'],
      ['not-sent', 'given-up', 'open'], ['too-long-running', 'failed', 'open'], ['too-long-running', 'answered', 'closed'],
    ])('makes its own call after a trial with the outcome %s; if that call has the outcome %s, the circuit is %s', async (tried, outcome, state) => {
      const subject = halfOpen();
      subject.call(A, tried);
      expect([subject.circuit.state, subject.probes.length]).toEqual(['open', 1]);
      await subject.probeEnds(outcome);
      expect(subject.circuit.state).toBe(state);
    });

    it('makes its own call if a trial takes longer than ten seconds, and closes if that call is answered', async () => {
      const subject = halfOpen();
      const slow = subject.begin(A);
      expect(subject.probes).toHaveLength(0);
      subject.clock.advance(10_000);
      expect(subject.begin(A)).not.toBeNull();
      expect(subject.probes).toHaveLength(1);
      await subject.probeEnds('answered');
      slow?.failed(new UpstreamFailure('timed-out', 'slow'));
      expect([subject.circuit.state, subject.begin(B) === null]).toEqual(['closed', false]);
    });

    it.each<Outcome>(['answer', 'refused', 'hung-up', 'cancelled', 'connect-failed'])('makes no call of its own ten seconds after the start of a trial with the outcome %s', (outcome) => {
      const subject = halfOpen();
      subject.call(A, outcome);
      if (subject.circuit.state === 'closed') subject.call(A, ...five('connect-failed'));
      const asked = subject.probes.length;
      subject.clock.advance(10_000);
      subject.begin(B);
      expect(subject.probes).toHaveLength(asked);
    });

    it('stays open, whatever the outcomes of calls that began before it opened', () => {
      const subject = new Subject();
      const early = [subject.begin(A), subject.begin(B)];
      subject.call(A, ...five('connect-failed'));
      early[0]?.answered();
      early[1]?.failed(new UpstreamFailure('refused', 'no'));
      expect(subject.circuit.state).toBe('open');
    });
  });
});

const MOST = 1_000;

function aSet(): { readonly circuits: Circuits; readonly clock: ManualClock; readonly open: (model: string) => void; readonly fill: (from: number, to: number) => void } {
  const clock = new ManualClock();
  const circuits = new Circuits({ clock, probe: () => Promise.resolve('answered'), changed: () => undefined });
  const open = (model: string): void => {
    for (let count = 0; count < 5; count += 1) circuits.of(model).begin(aCall())?.failed(new UpstreamFailure('connect-failed', 'no'));
  };
  const fill = (from: number, to: number): void => {
    for (let model = from; model < to; model += 1) circuits.of(`m${model}`);
  };
  return { circuits, clock, open, fill };
}

it('an upstream has one circuit per model', () => {
  const { circuits, open } = aSet();
  open('m1');
  expect([circuits.of('m1').state, circuits.of('m2').state]).toEqual(['open', 'closed']);
  expect(circuits.states()).toEqual([['m1', 'open'], ['m2', 'closed']]);
});

it('an upstream keeps at most a thousand circuits, and drops those without failures first', () => {
  const { circuits, open, fill } = aSet();
  open('m0');
  fill(1, MOST + 1);
  expect(circuits.states()).toEqual([['m0', 'open'], [`m${MOST}`, 'closed']]);
});

it('an upstream drops the oldest of a thousand circuits for a new one if all of them have failures', () => {
  const { circuits, open } = aSet();
  for (let model = 0; model <= MOST; model += 1) open(`m${model}`);
  expect(circuits.states()).toHaveLength(MOST);
  expect(circuits.of('m0').state).toBe('closed');
});
