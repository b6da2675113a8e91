import { type GatewayPlace, GatewayProcess } from './gateway-process.js';
import { CHAOS_SLOTS } from '../world/world.js';
import type { SlotCount } from '../checks/balances.js';

/** The gateways of a world, each on a seat of its own, which the next one takes when one has died. */
export class Fleet {
  readonly #seats: (GatewayProcess | null)[];

  /** No gateway has started yet. `onLostGateway` receives each that ends unexpectedly. */
  constructor(private readonly places: readonly GatewayPlace[], private readonly onLostGateway: (signal: string) => void) {
    this.#seats = places.map(() => null);
  }

  /** Gateways that serve at the moment. */
  get serving(): readonly GatewayProcess[] {
    return this.#seats.filter((gateway) => gateway !== null && gateway.diedAt === null) as readonly GatewayProcess[];
  }

  /** Resolves once every seat has a gateway that serves. */
  async start(): Promise<void> {
    await Promise.all(this.places.map((_place, seat) => this.startOn(seat)));
  }

  at(seat: number): GatewayProcess {
    const gateway = this.#seats[seat];
    if (gateway === null || gateway === undefined) throw new Error(`no gateway runs on seat ${seat}`);
    return gateway;
  }

  /** Starts the next gateway of a seat; resolves once it serves. */
  async startOn(seat: number): Promise<GatewayProcess> {
    const place = this.places[seat];
    if (place === undefined) throw new Error(`there is no seat ${seat}`);
    const gateway = GatewayProcess.spawn(place);
    this.#seats[seat] = null;
    await gateway.ready();
    this.#seats[seat] = gateway;
    void gateway.ended.then((signal) => {
      if (!gateway.isDoomed) this.onLostGateway(signal ?? 'a code');
    });
    return gateway;
  }

  /** Asks all to stop; says how many did not stop as they should. */
  async stop(): Promise<number> {
    const stopped = await Promise.all(this.serving.map((gateway) => gateway.stop()));
    return stopped.filter((well) => !well).length;
  }
}

const PATIENCE_MILLISECONDS = 5000;

function figure(text: string, metric: string): number {
  const value = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`a gateway does not tell ${metric}`);
  return Number(value);
}

/** What a gateway says that its requests hold; nothing when it has only just begun, or dies before it has answered. Throws when it does not say. */
export async function slotsOf(gateway: GatewayProcess, accounts: number): Promise<readonly SlotCount[]> {
  const { metricsUrl, processId } = gateway;
  if (metricsUrl === null) return [];
  let text: string;
  try {
    text = await (await fetch(metricsUrl, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })).text();
  } catch (thrown) {
    if (gateway.isDoomed) return [];
    throw thrown;
  }
  const holder = `gateway ${processId}`;
  return [
    { holder, what: 'slots', held: figure(text, 'tollgate_slots_held'), limit: CHAOS_SLOTS * accounts },
    { holder, what: 'requests', held: figure(text, 'tollgate_requests_running'), limit: Infinity },
  ];
}
