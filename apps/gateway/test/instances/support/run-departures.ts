import type { UsageRecord } from '@tollgate/core';
import type { RecordedRequest } from '@tollgate/testkit';
import type { TestCaller } from '../../../src/test-support/start-test-gateway.js';
import { DepartingClient } from './departing-client.js';
import type { Deployment } from './deployment.js';
import { attributionOf, numberIn, type PlannedDeparture } from './planned-departures.js';
import { RelayedOutput } from './relayed-output.js';

export interface UpstreamCall {
  /** How the request at the upstream ended; `running` if it continued after the client disconnected. */
  readonly ended: 'completed' | 'aborted' | 'running';
}

/** A planned departure and its results. */
export interface Departure {
  readonly planned: PlannedDeparture;
  /** False if the reply ended before the client was to disconnect. */
  readonly hasLeft: boolean;
  /** Text that the client received. */
  readonly got: string;
  /** Text that the gateway wrote to the client. */
  readonly relayed: string;
  /** `null` if the request never reached the upstream. */
  readonly call: UpstreamCall | null;
  /** `null` if nothing was reserved. */
  readonly record: UsageRecord | null;
}

const AT_ONCE = 40;
/** After this time, requests that have not ended are reported as running. */
const PATIENCE_MILLISECONDS = 60_000;

/** Runs the planned streams with bounded concurrency, each at the next gateway. */
class DepartureRun {
  readonly #clients = new Map<number, DepartingClient>();
  readonly #calls = new Map<number, UpstreamCall>();
  readonly #relayed: RelayedOutput;

  constructor(private readonly deployment: Deployment, private readonly caller: TestCaller, private readonly plan: readonly PlannedDeparture[]) {
    this.#relayed = new RelayedOutput((number, written) => this.#openGates(number, written));
    deployment.upstream.always('*', (request) => this.#arrived(request));
  }

  async run(): Promise<readonly Departure[]> {
    const waiting = this.plan.values();
    const received: string[] = [];
    const sender = async (): Promise<void> => {
      for (const planned of waiting) received[planned.number] = await this.#send(planned);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await this.#settled();
    this.#relayed.stop();
    const records = new Map((await this.deployment.recordsOf(this.caller.account.id)).map((record) => [record.attribution, record]));
    return this.plan.map((planned): Departure => ({
      planned,
      hasLeft: this.#clients.get(planned.number)?.hasLeft ?? false,
      got: planned.format.textIn(received[planned.number] ?? ''),
      relayed: planned.format.textIn(this.#relayed.of(planned.number)),
      call: this.#calls.get(planned.number) ?? null,
      record: records.get(attributionOf(planned.number)) ?? null,
    }));
  }

  async #send({ number, format, body, leavesAfterBytes, leavesBy, moment }: PlannedDeparture): Promise<string> {
    const url = `${this.deployment.gateway(number).url}${format.path}`;
    const client = new DepartingClient({ url, key: this.caller.key, number, body: JSON.stringify(body), leavesAfterBytes, leavesBy });
    this.#clients.set(number, client);
    await client.send();
    if (moment === 'sent') client.leave();
    return client.gone;
  }

  #arrived(request: RecordedRequest): ReturnType<PlannedDeparture['behaviour']> {
    const number = numberIn(request.rawBody);
    const planned = this.plan[number];
    if (planned === undefined) throw new Error(`request ${number} was not planned`);
    this.#calls.set(number, { ended: 'running' });
    void request.ended.then((ended) => {
      this.#calls.set(number, { ended });
      if (planned.moment === 'written') this.#clients.get(number)?.leave();
    });
    if (planned.moment === 'at-upstream') setImmediate(() => this.#clients.get(number)?.leave());
    return planned.behaviour(request);
  }

  /** Opens the gate of every piece that has been relayed completely. */
  #openGates(number: number, written: string): void {
    const planned = this.plan[number];
    if (planned === undefined) return;
    const { length } = planned.format.textIn(written);
    let end = 0;
    for (const [position, piece] of planned.pieces.entries()) {
      end += piece.length;
      if (end <= length) planned.gates[position]?.open();
    }
  }

  async #settled(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MILLISECONDS;
    while (await this.#isBusy() && performance.now() < deadline) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }

  async #isBusy(): Promise<boolean> {
    if ([...this.#calls.values()].some(({ ended }) => ended === 'running')) return true;
    return (await this.deployment.balanceOf(this.caller.account.id)).reserved !== '0';
  }
}

/** Resolves when every request is settled, or when the time for that is over. */
export function runDepartures(deployment: Deployment, caller: TestCaller, plan: readonly PlannedDeparture[]): Promise<readonly Departure[]> {
  return new DepartureRun(deployment, caller, plan).run();
}
