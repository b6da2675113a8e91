import { type EventLog, type Instant, isStoreAway, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, tryInTurn } from '@tollgate/core';
import { type SealedWebhookSecrets, type SecretSealer, WEBHOOK_LOG_MILLISECONDS, type WebhookQueue, type WebhookTurn } from '@tollgate/identity';
import type { WebhookSender } from '../webhooks/webhook-sender.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';
import { type WebhookCounts, WebhookDeliveryTurn } from './webhook-delivery-turn.js';

export const WEBHOOK_INTERVAL_MILLISECONDS = MILLISECONDS_PER_SECOND;
/** Longer than a turn including the wait for its last answer, so that no other gateway takes over the webhook during the turn. */
const WEBHOOK_LEASE_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Pause after a failure of the database. */
export const WEBHOOK_RECOVERY_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
/** Pause of a webhook, for all its events, after a failure. */
const PAUSE_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
const PRUNE_MILLISECONDS = MILLISECONDS_PER_HOUR;
/** Maximum number of short transactions in one run. */
const STEPS_PER_RUN = 20;
/** Maximum number of concurrent turns. Hanging webhooks of owners can delay those of other owners, but not those of operators. */
const TURNS_AT_ONCE = { operators: 20, owners: 16 } as const;

type Side = keyof typeof TURNS_AT_ONCE;

interface WebhookDeliveryPorts extends TaskPorts {
  readonly queue: WebhookQueue;
  readonly events: Pick<EventLog, 'position'>;
  /** `null` without the installation's secret: then nothing is delivered. */
  readonly sealer: SecretSealer | null;
  readonly sender: WebhookSender;
}

/**
 * Delivers events to webhooks, each at least once, unless the webhook is disabled or fails until no attempt is left. Gateways share the work; only
 * one at a time delivers to a webhook.
 */
export class WebhookDelivery extends ScheduledTask<WebhookDeliveryPorts> {
  protected readonly schedule = { intervalMilliseconds: () => this.#interval, failureMessage: 'webhooks could not be delivered; the gateway retries' };
  readonly #turns: Readonly<Record<Side, Set<Promise<void>>>> = { operators: new Set(), owners: new Set() };
  readonly #stopping = new AbortController();
  #interval = WEBHOOK_INTERVAL_MILLISECONDS;
  #counts: WebhookCounts = { delivered: 0, failed: 0, disabled: 0 };
  #nextPrune: Instant | null = null;

  get counts(): WebhookCounts {
    return this.#counts;
  }

  async run(): Promise<void> {
    const { queue, events, clock, sealer } = this.ports;
    if (sealer === null) return;
    this.#interval = WEBHOOK_RECOVERY_MILLISECONDS;
    const duties = [
      () => repeatSteps(() => events.position()), () => repeatSteps(() => queue.spread(clock.now())), () => this.beginTurns('operators', sealer), () => this.beginTurns('owners', sealer), () => this.prune(),
    ];
    await tryInTurn<() => Promise<unknown>>(duties, (duty) => duty());
    this.#interval = WEBHOOK_INTERVAL_MILLISECONDS;
  }

  /** Ends the schedule, and aborts running requests, which another gateway repeats. Resolves when no turn runs. */
  override async stop(): Promise<void> {
    this.#stopping.abort();
    await super.stop();
    await this.idle();
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    await Promise.all([...this.#turns.operators, ...this.#turns.owners]);
  }

  /** A webhook that cannot be read does not hold up the others. */
  private async beginTurns(of: Side, sealer: SecretSealer): Promise<void> {
    const failures: unknown[] = [];
    const mayBegin = (): boolean => this.#turns[of].size < TURNS_AT_ONCE[of] && failures.length < TURNS_AT_ONCE[of] && !this.#stopping.signal.aborted;
    for (let mayContinue = true; mayContinue && mayBegin();) {
      mayContinue = await this.beginTurn(of, sealer).catch((err: unknown) => {
        failures.push(err);
        return !isStoreAway(err);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  /** False if no webhook is due. */
  private async beginTurn(of: Side, sealer: SecretSealer): Promise<boolean> {
    const { clock, queue, log } = this.ports;
    const at = clock.now();
    const turn = await queue.claim({ at, leaseExpiresAt: later(at, WEBHOOK_LEASE_MILLISECONDS), of });
    if (turn === null) return false;
    const turns = this.#turns[of];
    const running: Promise<void> = this.take(turn, sealer).catch((err: unknown) => log.error({ err, webhook: turn.webhook.id }, this.schedule.failureMessage))
      .then(() => void turns.delete(running));
    turns.add(running);
    return true;
  }

  private async take(turn: WebhookTurn, sealer: SecretSealer): Promise<void> {
    const { queue, sender, clock, log } = this.ports;
    const { secrets, resealed } = openSecrets(turn, sealer);
    if (secrets.length === 0) {
      log.error({ webhook: turn.webhook.id }, 'the secret of a webhook cannot be opened with SECRET; rotate the secret of the webhook');
      await queue.finish(turn, clock.now(), later(clock.now(), PRUNE_MILLISECONDS));
      return;
    }
    if (resealed !== null) await queue.reseal(turn, resealed);
    const connections = sender.open(turn.webhook);
    let pauseUntil = clock.now();
    try {
      const isWorking = await new WebhookDeliveryTurn(this.ports, { turn, secrets, send: connections.send, signal: this.#stopping.signal, count: (change) => this.count(change) }).deliverDue();
      pauseUntil = later(clock.now(), isWorking ? 0 : PAUSE_MILLISECONDS);
    } finally {
      connections.close();
      await queue.finish(turn, clock.now(), pauseUntil);
    }
  }

  private count(what: keyof WebhookCounts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 };
  }

  private async prune(): Promise<void> {
    const { queue, clock } = this.ports;
    const now = clock.now();
    if (this.#nextPrune !== null && now < this.#nextPrune) return;
    const isDone = await repeatSteps(() => queue.prune(later(now, -WEBHOOK_LOG_MILLISECONDS)));
    this.#nextPrune = isDone ? later(now, PRUNE_MILLISECONDS) : now;
  }
}

/** Repeats the step until it returns 0, at most `STEPS_PER_RUN` times. False if there may be more to do. */
async function repeatSteps(step: () => Promise<number>): Promise<boolean> {
  for (let steps = 0; steps < STEPS_PER_RUN; steps += 1) if (await step() === 0) return true;
  return false;
}

interface OpenedSecrets {
  readonly secrets: readonly string[];
  /** The webhook's secrets, newly sealed with the present secret of the installation; `null` if this is not needed, or if they cannot be opened. */
  readonly resealed: SealedWebhookSecrets | null;
}

function openSecrets({ webhook: { id }, sealedSecret, sealedPreviousSecret }: WebhookTurn, sealer: SecretSealer): OpenedSecrets {
  const [present, previous] = [sealer.open(sealedSecret, id), sealedPreviousSecret === null ? null : sealer.open(sealedPreviousSecret, id)];
  const isOutdated = present?.outdated === true || previous?.outdated === true;
  return {
    secrets: [present, previous].flatMap((opened) => (opened === null ? [] : [Buffer.from(opened.secret).toString('latin1')])),
    resealed: present === null || !isOutdated ? null : { sealedSecret: sealer.seal(present.secret, id), sealedPreviousSecret: previous === null ? null : sealer.seal(previous.secret, id) },
  };
}
