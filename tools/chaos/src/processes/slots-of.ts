import { CHAOS_SLOTS } from '../books/chaos-catalogue.js';
import type { SlotCount } from '../checks/slots.js';
import type { GatewayProcess } from './gateway-process.js';

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
